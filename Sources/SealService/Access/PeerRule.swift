import EnvelopeFormat
import KeyStore
import Sealer

/// Who may call over a Unix socket: a user or a group, and what for.
struct PeerRule: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case uid(UInt32)
        case gid(UInt32)
    }

    let subject: Subject
    let scopes: Set<Scope>

    /// - Throws: ``FormatError`` naming the member at fault.
    init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "allow", ["uid", "gid", "scopes"])
        switch (try reader.integer("uid"), try reader.integer("gid")) {
        case (let uid?, nil): subject = .uid(try Self.number(uid, "allow.uid"))
        case (nil, let gid?): subject = .gid(try Self.number(gid, "allow.gid"))
        default: throw FormatError(field: "allow", reason: "one of uid and gid is needed")
        }
        scopes = try TokenList.scopes(reader.value("scopes"), of: "allow")
    }

    private static func number(_ value: Int64, _ field: String) throws(FormatError) -> UInt32 {
        guard let number = UInt32(exactly: value), number != .max else {
            throw FormatError(field: field, reason: "not a number of a user or group")
        }
        return number
    }

    func admits(_ peer: PeerCredentials) -> Bool {
        switch subject {
        case .uid(let uid): peer.uid == uid
        case .gid(let gid): peer.isOf(group: gid)
        }
    }
}
