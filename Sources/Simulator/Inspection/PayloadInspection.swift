public import EnvelopeFormat

/// What a payload shows to anybody: the push provider, the network, a reader of logs. No key is used.
public struct PayloadInspection: Sendable {
    private let members: [JSONMember]

    /// Looks at an APNs payload, an FCM message, the bare object of its data, or a JWE compact string alone.
    ///
    /// - Parameter limit: what the size is held against, in bytes.
    /// - Throws: ``FormatError`` when it is none of these.
    public init(_ input: [UInt8], limit: Int) throws(FormatError) {
        let text = input.last == 0x0A ? input.dropLast() : input[...]
        if text.first != UInt8(ascii: "{"), let envelope = Self.compact(Array(text)) {
            members = envelope
            return
        }
        let payload = try ReceivedPayload(input)
        var members = [
            JSONMember("platform", .string(payload.platform.rawValue)),
            JSONMember("bytes", .integer(payload.byteCount)),
            JSONMember("limit", .integer(limit)),
            JSONMember("bytes_left", .integer(limit - payload.byteCount)),
        ]
        for name in ["type", "body", "image_url"] {
            if let value = payload.object[name] { members.append(JSONMember(name, value)) }
        }
        if let aps = payload.object["aps"] { members.append(JSONMember("aps", aps)) }
        switch payload.object["encrypted_payload"] {
        case nil: members.append(JSONMember("sealed", .string("nothing")))
        case .string(let text)?:
            members += Self.compact(Array(text.utf8)) ?? [JSONMember("sealed", .string(Outcome.malformed.rawValue))]
        case .object(let split)?:
            let isSplit = (try? SplitEnvelope(split)) != nil
            members.append(
                JSONMember("sealed", .string(isSplit ? KeyAlgorithm.split.rawValue : Outcome.malformed.rawValue)))
        default: members.append(JSONMember("sealed", .string(Outcome.malformed.rawValue)))
        }
        self.members = members
    }

    /// What a compact JWE names in the clear; nil when it is neither a message nor a bundle of this profile.
    private static func compact(_ text: [UInt8]) -> [JSONMember]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        let ciphertext = Base64URL.decode(parts[3])?.count ?? 0
        if let bundle = try? ProvisioningBundle.envelope(text) {
            return [JSONMember("sealed", .string("bundle")), JSONMember("device", .string(bundle.recipient.string))]
        }
        switch try? SealedPayload(message: text) {
        case .dir(let envelope)?:
            return named("dir", envelope.keyIdentifier) + [JSONMember("plaintext_bytes", .integer(ciphertext))]
        case .hpke7(let envelope)?:
            guard case .conversation(let kid) = envelope.presharedKey else { return nil }
            return named("HPKE-7", kid) + [
                JSONMember("device", .string(envelope.recipient.string)),
                JSONMember("plaintext_bytes", .integer(ciphertext - 16)),
            ]
        case nil: return nil
        }
    }

    private static func named(_ algorithm: String, _ kid: KeyIdentifier) -> [JSONMember] {
        [
            JSONMember("sealed", .string(algorithm)), JSONMember("kid", .string(kid.description)),
            JSONMember("handle", .string(kid.handle.string)), JSONMember("epoch", .integer(kid.epoch)),
        ]
    }

    /// All of it as one object.
    public func json() -> JSONValue { .object(members) }

    /// A line for each thing, `name: value`.
    public var lines: [String] {
        members.map { member in
            let value = member.value.text ?? String(decoding: member.value.write(), as: UTF8.self)
            return "\(member.name): \(value)"
        }
    }
}
