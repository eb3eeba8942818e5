package import EnvelopeFormat
package import KeyStore

/// A conversation of a sealer store as scripts and backends are told of it; never key material.
package enum ConversationForm {
    /// The name of what is sealed under: a kid, or `split:` and 8 digits; `-` when there is none.
    package static func sealedUnder(_ record: ConversationRecord) -> String {
        record.active.map { name($0, in: record) } ?? "-"
    }

    /// What is sealed under, and what waits.
    package static func kids(_ record: ConversationRecord, active: KeyIdentifier?, waiting: KeyIdentifier?) -> [String] {
        [active.map { name($0, in: record) } ?? "-"] + (waiting.map { [name($0, in: record)] } ?? [])
    }

    package static func json(_ record: ConversationRecord) -> JSONValue {
        json(record, active: record.active, waiting: record.waiting)
    }

    package static func json(_ record: ConversationRecord, active: KeyIdentifier?, waiting: KeyIdentifier?) -> JSONValue {
        .members([
            "conversation": .string(record.conversation.string), "alg": .string(record.algorithm.rawValue),
            "accessible": .string(record.accessible.rawValue), "created_at": .integer(record.created),
            "until": record.until.map { .integer($0) },
            "kid": active.map { .string(name($0, in: record)) } ?? .null,
            "waiting": waiting.map { .string(name($0, in: record)) } ?? .null,
            "members": .list(members(of: record)) { member in
                .members([
                    "device": .string(member.device.string), "name": .string(member.name),
                    "acknowledged": member.acknowledged.map { .string($0.description) } ?? .null,
                ])
            },
            "secrets": .list(secrets(of: record), json),
        ])
    }

    /// By name.
    package static func members(of record: ConversationRecord) -> [MemberRecord] {
        record.members.sorted { ($0.name, $0.device.string) < ($1.name, $1.device.string) }
    }

    /// What is sealed under, what waits, then what was, the latest first.
    package static func secrets(of record: ConversationRecord) -> [HandleRecord] {
        let order: [KeyState] = [.active, .suspended, .preActivation, .deactivated, .compromised, .destroyed]
        func rank(_ secret: HandleRecord) -> Int { order.firstIndex(of: secret.state) ?? order.count }
        return record.handles.sorted { (rank($0), -$0.created) < (rank($1), -$1.created) }
    }

    /// The kid, or of a split key its own name.
    package static func name(_ kid: KeyIdentifier, in record: ConversationRecord) -> String {
        record.handles.first { $0.handle == kid.handle }?.splitName ?? kid.description
    }

    private static func json(_ secret: HandleRecord) -> JSONValue {
        .members([
            "handle": .string(secret.handle.string), "split_name": secret.splitName.map { .string($0) },
            "state": .string(secret.state.rawValue),
            "epoch": .integer(secret.epoch), "epoch_started_at": secret.epochStartedAt.map { .integer($0) } ?? .null,
            "activated_at": secret.activatedAt.map { .integer($0) } ?? .null,
            "promote_at": secret.promoteAt.map { .integer($0) } ?? .null,
            "open_until": secret.openUntil.map { .integer($0) } ?? .null,
            "seals_leased": .integer(secret.leasedCount),
        ])
    }
}
