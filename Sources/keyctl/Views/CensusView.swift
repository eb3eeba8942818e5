import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a census is shown.
enum CensusView {
    static func view(of census: Census) -> View {
        var lines = ["conversation \(census.conversation) at \(Timestamp.text(census.taken))"]
        lines += census.members.map(text)
        for secret in census.secrets {
            lines.append(text(secret, at: census.taken))
            let isInUse = secret.state == .active || secret.state == .suspended
            let reasons = isInUse ? census.dependents : secret.dependents
            if let verdict = verdict(secret, reasons) { lines.append("  \(verdict)") }
            lines += reasons.map { "    \($0)" }
        }
        return View(lines: lines, json: json(census))
    }

    private static func text(_ member: Census.Member) -> String {
        let waiting = member.pending.isEmpty ? "" : ", bundles waiting \(member.pending.map(\.description).joined(separator: " "))"
        return
            "member \(member.device) \(member.name), acknowledged \(member.acknowledged?.description ?? "nothing")\(waiting)"
    }

    private static func text(_ secret: Census.Secret, at time: Int64) -> String {
        [
            "secret \(secret.splitName ?? secret.handle.string) \(secret.state.rawValue), epoch \(secret.epoch)",
            secret.promoteAt.map { ConversationView.promotion(at: $0, now: time) },
            secret.usedUntil.map { "last used \(Timestamp.text($0))" } ?? "never used",
            secret.storedUntil.map { "pushes stored until \(Timestamp.text($0))" },
            secret.openUntil.map { "devices open it until \(Timestamp.text($0))" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// What may be done with it.
    private static func verdict(_ secret: Census.Secret, _ reasons: [String]) -> String? {
        switch secret.state {
        case .active, .suspended: reasons.isEmpty ? "can be retired" : "not to be retired yet:"
        case .deactivated, .compromised: reasons.isEmpty ? "can be destroyed" : "not to be destroyed yet:"
        case .preActivation, .destroyed: nil
        }
    }

    private static func json(_ census: Census) -> JSONValue {
        .members([
            "conversation": .string(census.conversation.string), "at": .integer(census.taken),
            "members": .list(census.members) { member in
                .members([
                    "device": .string(member.device.string), "name": .string(member.name),
                    "acknowledged": member.acknowledged.map { .string($0.description) } ?? .null,
                    "bundles": .list(member.pending) { .string($0.description) },
                ])
            },
            "secrets": .list(census.secrets) { json($0, census) },
        ])
    }

    private static func json(_ secret: Census.Secret, _ census: Census) -> JSONValue {
        let isInUse = secret.state == .active || secret.state == .suspended
        return .members([
            "handle": .string(secret.handle.string), "split_name": secret.splitName.map { .string($0) },
            "state": .string(secret.state.rawValue), "epoch": .integer(secret.epoch),
            "used_until": secret.usedUntil.map { .integer($0) } ?? .null,
            "stored_until": secret.storedUntil.map { .integer($0) } ?? .null,
            "open_until": secret.openUntil.map { .integer($0) } ?? .null,
            "not_acknowledged": .list(secret.notAcknowledged) { .string($0.string) },
            "dependents": .list(isInUse ? census.dependents : secret.dependents) { .string($0) },
        ])
    }
}
