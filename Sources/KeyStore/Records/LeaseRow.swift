internal import EnvelopeFormat

/// Seals leased to one process under one epoch: written before the first of them is used, gone with the epoch.
struct LeaseRow: Record {
    static let table = Table.lease
    let kid: KeyIdentifier
    /// The number of the first seal, from 0 on.
    let first: Int64
    let count: Int64
    let grantedAt: Int64
    let holder: Caller

    var identifier: String { Self.identifier(kid, first) }

    /// Names sort as their numbers do: 10 digits hold 2^32.
    static func identifier(_ kid: KeyIdentifier, _ first: Int64) -> String {
        let digits = String(first)
        return "\(kid)/" + String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
    }

    /// What audit entries call it.
    var summary: String { "\(count) seals from \(first)" }

    init(kid: KeyIdentifier, first: Int64, count: Int64, grantedAt: Int64, holder: Caller) {
        self.kid = kid
        self.first = first
        self.count = count
        self.grantedAt = grantedAt
        self.holder = holder
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        kid = try fields.parsed { KeyIdentifier($0) }
        first = try fields.integer()
        count = try fields.integer()
        grantedAt = try fields.integer()
        holder = Caller(user: try fields.integer(), process: try fields.integer())
        guard first >= 0, count > 0, first <= Cryptoperiod.lastSeal - count, self.identifier.isSame(as: identifier) else {
            throw fields.damaged
        }
    }

    var values: [FieldValue] {
        [
            .text(kid.description), .integer(first), .integer(count), .integer(grantedAt), .integer(holder.user),
            .integer(holder.process),
        ]
    }
}
