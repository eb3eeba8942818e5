public import CryptoPrimitives

/// C_n, the secret of a conversation at one epoch: 32 bytes, wiped when the last copy goes.
///
/// Every holder can step forward, nobody back (envelope spec, section 4).
public struct ConversationSecret: Sendable {
    /// The number of bytes of C_n, K_n and P_n.
    public static let byteCount = 32

    /// The one door to the raw bytes of C_n.
    package let rawKey: SymmetricKey

    /// - Throws: ``FormatError`` when the key is not of 32 bytes.
    public init(_ key: SymmetricKey) throws(FormatError) {
        guard key.bitCount == Self.byteCount * 8 else {
            throw FormatError(field: "conversation secret", reason: "\(key.bitCount / 8) bytes where 32 are needed")
        }
        rawKey = key
    }

    private init(unchecked key: SymmetricKey) { rawKey = key }

    /// C_n+1 = HKDF-Expand(C_n, "waxwing/1 next" 00 cid, 32) (RFC 5869 section 2.3).
    public func next(in conversation: ConversationIdentifier) -> ConversationSecret {
        ConversationSecret(unchecked: expand("next", conversation))
    }

    /// C after so many steps.
    public func stepped(_ steps: Int, in conversation: ConversationIdentifier) -> ConversationSecret {
        var secret = self
        for _ in 0..<max(0, steps) { secret = secret.next(in: conversation) }
        return secret
    }

    /// K_n, the AES-256-GCM key of `dir`.
    public func contentKey(in conversation: ConversationIdentifier) -> SymmetricKey { expand("A256GCM", conversation) }

    /// P_n, the pre-shared key of `HPKE-7`.
    public func presharedKey(in conversation: ConversationIdentifier) -> SymmetricKey { expand("HPKE-7", conversation) }

    /// Whether both are the same bytes, compared in constant time.
    public func isSame(as other: ConversationSecret) -> Bool { constantTimeEqual(rawKey, other.rawKey) }

    private func expand(_ label: String, _ conversation: ConversationIdentifier) -> SymmetricKey {
        let info = Array("waxwing/1 \(label)".utf8) + [0] + Array(conversation.string.utf8)
        return HKDF<SHA256>.expand(pseudoRandomKey: rawKey, info: info, outputByteCount: Self.byteCount)
    }
}

extension ConversationSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "ConversationSecret" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
