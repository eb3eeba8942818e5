import CryptoPrimitives
public import EnvelopeFormat

/// A notification that waits in the shared container to be opened: what was sealed, as it came, and when.
public struct DeferredEntry: Sendable {
    /// The identifier of the request, by which the app finds the notification that was delivered in its place.
    public let identifier: String
    /// What stood under `encrypted_payload`.
    public let sealed: SealedMember
    /// Seconds since 1970.
    public let arrival: Int64
    var name: DeferredName

    /// - Returns: nil for what cannot be opened later either.
    init?(_ incoming: IncomingNotification) {
        guard let sealed = Self.json(incoming.sealed) else { return nil }
        identifier = incoming.identifier
        self.sealed = incoming.sealed
        // What the file's JSON takes; a clock that tells something else is wrong.
        arrival = min(max(0, incoming.arrival), 1 << 53 - 1)
        let file = Self.file(identifier, arrival, sealed)
        name = DeferredName(
            arrival: arrival, digest: Self.digest(sealed), byteCount: file.count, kid: Self.kid(incoming.sealed))
    }

    /// Reads an entry's file.
    init?(_ bytes: [UInt8], name: DeferredName) {
        // The sealed part of a split message is an object in that of the file.
        guard let json = try? JSONValue.parse(bytes), let identifier = json["id"]?.text,
            let arrival = json["arrival"]?.plainInteger, let value = json["sealed"]
        else { return nil }
        switch value {
        case .string(let text): sealed = .string(text)
        case .object(let members): sealed = .object(members)
        default: return nil
        }
        self.identifier = identifier
        self.arrival = arrival
        self.name = name
    }

    /// The content of its file.
    var bytes: [UInt8] { Self.file(identifier, arrival, Self.json(sealed) ?? .null) }

    private static func file(_ identifier: String, _ arrival: Int64, _ sealed: JSONValue) -> [UInt8] {
        JSONValue.object([
            JSONMember("id", .string(identifier)), JSONMember("arrival", .integer(arrival)), JSONMember("sealed", sealed),
        ]).write()
    }

    static func digest(of sealed: SealedMember) -> String? { json(sealed).map(digest) }

    private static func digest(_ json: JSONValue) -> String {
        SHA256.hash(data: json.write()).prefix(16).reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16)
            text += digits.utf8.count < 2 ? "0\(digits)" : digits
        }
    }

    private static func json(_ sealed: SealedMember) -> JSONValue? {
        switch sealed {
        case .string(let text): .string(text)
        case .object(let members): .object(members)
        case .absent, .other: nil
        }
    }

    private static func kid(_ sealed: SealedMember) -> String? {
        guard case .string(let text) = sealed, let payload = try? SealedPayload(message: Array(text.utf8)) else { return nil }
        return payload.keyIdentifier?.description
    }
}
