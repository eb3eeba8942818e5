/// A sealed payload after steps 4 and 5 of opening: its form is right, nothing is known of its keys yet.
public enum SealedPayload: Sendable {
    case dir(DirectEnvelope)
    case hpke7(HPKEEnvelope)

    /// - Throws: `malformed` or `unsupported`, in the order of the envelope spec, section 9.
    public init(message text: [UInt8]) throws(Outcome) {
        let jwe = try CompactJWE(text)
        self =
            switch try Self.algorithm(of: jwe, type: .message, allowed: [.dir, .hpke7]) {
            case .dir: .dir(try DirectEnvelope(jwe))
            default: .hpke7(try HPKEEnvelope(jwe, type: .message))
            }
    }

    /// The first half of step 5, which is the same for messages and bundles.
    static func algorithm(
        of jwe: CompactJWE, type: EnvelopeType, allowed: [KeyAlgorithm]
    ) throws(Outcome) -> KeyAlgorithm {
        guard let name = jwe["alg"], jwe["kid"] != nil else { throw .malformed }
        guard let typ = jwe["typ"], typ.isSame(as: type.rawValue) else { throw .unsupported }
        guard let algorithm = KeyAlgorithm(exactly: name), allowed.contains(algorithm) else { throw .unsupported }
        if algorithm == .dir, let encryption = jwe["enc"], !encryption.isSame(as: DirectEnvelope.encryption) {
            throw .unsupported
        }
        return algorithm
    }

    public var algorithm: KeyAlgorithm {
        switch self {
        case .dir: .dir
        case .hpke7: .hpke7
        }
    }

    /// The key it names: the conversation secret's handle and epoch.
    public var keyIdentifier: KeyIdentifier? {
        switch self {
        case .dir(let envelope): envelope.keyIdentifier
        case .hpke7(let envelope): envelope.presharedKey.keyIdentifier
        }
    }
}
