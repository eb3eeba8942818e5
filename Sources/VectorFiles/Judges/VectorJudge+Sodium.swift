import KeyStore

extension VectorJudge {
    /// XChaCha20-Poly1305 as the store wraps with it.
    static func wrap(_ sealed: Sealed) throws -> VectorOutcome {
        guard sealed.nonce.count == 24 else {
            // The nonce is the first 24 bytes of what is wrapped, so another length cannot be handed over.
            return .notApplicable("nonce not of 192 bits")
        }
        guard sealed.key.count == KeyWrap.keyByteCount, sealed.tag.count == 16 else {
            return .notApplicable("key or tag of another length")
        }
        var bytes = sealed.key
        let key = try GuardedBytes(consuming: &bytes)
        let wrapped = sealed.nonce + sealed.ciphertext + sealed.tag
        do {
            let opened = try KeyWrap.unwrap(wrapped, key: key, associatedData: sealed.authenticated)
            guard let message = sealed.message else { return .failed("unwrapped, and must be refused") }
            guard opened.withBytes({ Array($0) }) == message else { return .failed("unwrapped to another message") }
            let again = try message.withUnsafeBytes {
                try KeyWrap.wrap($0, nonce: sealed.nonce, key: key, associatedData: sealed.authenticated)
            }
            return again == wrapped ? .passed : .failed("wrapped to other bytes")
        } catch SodiumError.notAuthentic {
            return sealed.message == nil ? .refused : .failed("not unwrapped")
        }
    }

    /// A signature of Ed25519 as the audit log's checkpoints have it.
    static func signature(_ signature: [UInt8], of message: [UInt8], by key: [UInt8], isValid: Bool) throws -> VectorOutcome {
        let isTaken = try SigningKey.verify(signature, of: message, by: key)
        guard isTaken == isValid else { return .failed(isTaken ? "verified, and must be refused" : "not verified") }
        return isValid ? .passed : .refused
    }
}
