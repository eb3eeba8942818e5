import CryptoPrimitives
import EnvelopeFormat

/// The `jti` of a request with an idempotency key: the first 16 bytes of HMAC-SHA-256 under the store's idempotency key
/// over caller, conversation, the request's key and the SHA-256 of its content, each with its length before it.
///
/// The same content gives the same `jti` on every machine and after any restart, other content another.
enum IdempotentIdentifier {
    static func make(
        storeKey: SymmetricKey, caller: String, requestKey: String, claims content: Content,
        conversation: ConversationIdentifier, expires: Int64?
    ) throws(FormatError) -> MessageIdentifier {
        var canonical = content.json.members ?? []
        if let expires { canonical.append(JSONMember("exp", .integer(expires))) }
        let digest = Array(SHA256.hash(data: JSONValue.object(canonical).write()))
        var input: [UInt8] = []
        for part in [Array(caller.utf8), Array(conversation.string.utf8), Array(requestKey.utf8), digest] {
            withUnsafeBytes(of: UInt64(part.count).bigEndian) { input.append(contentsOf: $0) }
            input.append(contentsOf: part)
        }
        let code = Array(HMAC<SHA256>.authenticationCode(for: input, using: storeKey))
        return try MessageIdentifier(bytes: code.prefix(MessageIdentifier.byteCount))
    }
}
