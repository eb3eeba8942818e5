import CryptoPrimitives

extension VectorJudge {
    /// A case of AES-GCM.
    package struct Sealed {
        var key, nonce, authenticated, ciphertext, tag: [UInt8]
        /// Nil where it must be refused.
        var message: [UInt8]?

        package init(
            key: [UInt8], nonce: [UInt8], authenticated: [UInt8], ciphertext: [UInt8], tag: [UInt8], message: [UInt8]?
        ) {
            (self.key, self.nonce, self.authenticated) = (key, nonce, authenticated)
            (self.ciphertext, self.tag, self.message) = (ciphertext, tag, message)
        }
    }

    /// Opened to the message and sealed to the same bytes, or refused.
    package static func aesGCM(_ sealed: Sealed) throws -> VectorOutcome {
        if let outside = outside(sealed) { return outside }
        let key = SymmetricKey(data: sealed.key)
        let nonce = try AES.GCM.Nonce(data: sealed.nonce)
        let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.ciphertext, tag: sealed.tag)
        do {
            let opened = try AES.GCM.open(box, using: key, authenticating: sealed.authenticated)
            guard let message = sealed.message else { return .failed("opened, and must be refused") }
            guard [UInt8](opened) == message else { return .failed("opened to another message") }
            let again = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: sealed.authenticated)
            guard [UInt8](again.ciphertext) == sealed.ciphertext, [UInt8](again.tag) == sealed.tag else {
                return .failed("sealed to other bytes")
            }
            return .passed
        } catch CryptoKitError.authenticationFailure {
            return sealed.message == nil ? .refused : .failed("not opened")
        }
    }

    /// What lengths there are that are not taken, each asked.
    private static func outside(_ sealed: Sealed) -> VectorOutcome? {
        func isRefused(as error: CryptoKitError, _ body: () throws -> Void) -> Bool {
            do { try body() } catch let refused as CryptoKitError { return refused == error } catch {}
            return false
        }
        if sealed.key.count != 32 {
            let bits = sealed.key.count * 8
            let isRefused = isRefused(as: .incorrectKeySize) { _ = try AES.GCM.seal([UInt8](), using: SymmetricKey(data: sealed.key)) }
            return isRefused ? .notApplicable("key of \(bits) bits") : .failed("a key of \(bits) bits was taken")
        }
        if sealed.nonce.count != 12 {
            let isRefused = isRefused(as: .incorrectParameterSize) { _ = try AES.GCM.Nonce(data: sealed.nonce) }
            return isRefused ? .notApplicable("IV not of 96 bits") : .failed("an IV of \(sealed.nonce.count * 8) bits was taken")
        }
        if sealed.tag.count != 16 {
            let isRefused = isRefused(as: .incorrectParameterSize) {
                _ = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(), ciphertext: sealed.ciphertext, tag: sealed.tag)
            }
            return isRefused ? .notApplicable("tag not of 128 bits") : .failed("a tag of \(sealed.tag.count * 8) bits was taken")
        }
        return nil
    }
}
