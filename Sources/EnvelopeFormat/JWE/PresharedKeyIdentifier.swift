/// What the `psk_id` of an `HPKE-7` header names.
public enum PresharedKeyIdentifier: Sendable, Equatable {
    /// P_n of this key, in a message.
    case conversation(KeyIdentifier)
    /// The device's enrollment secret, in a bundle.
    case enrollment

    private static let enrollmentName = "enroll"

    /// Reads the member as a header of this type has it; nil when it is not canonical base64url of what belongs there.
    init?(_ text: String, type: EnvelopeType) {
        guard let bytes = Base64URL.decode(text), let name = String(strictUTF8: bytes) else {
            return nil
        }
        switch type {
        case .message:
            guard let kid = KeyIdentifier(name) else { return nil }
            self = .conversation(kid)
        case .bundle:
            guard name.isSame(as: Self.enrollmentName) else { return nil }
            self = .enrollment
        }
    }

    /// The `psk_id` given to HPKE (RFC 9180 section 5.1.2).
    public var bytes: [UInt8] {
        switch self {
        case .conversation(let kid): Array(kid.description.utf8)
        case .enrollment: Array(Self.enrollmentName.utf8)
        }
    }

    var keyIdentifier: KeyIdentifier? {
        if case .conversation(let kid) = self { kid } else { nil }
    }

    var type: EnvelopeType { self == .enrollment ? .bundle : .message }
}
