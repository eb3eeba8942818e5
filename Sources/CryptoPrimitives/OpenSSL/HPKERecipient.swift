public import FoundationEssentials

extension HPKE {
    /// The opening side of HPKE (RFC 9180 5); messages are opened in the order in which they were sealed.
    public struct Recipient: Sendable {
        var context: HPKEContext

        private init(
            privateKey: P256.KeyAgreement.PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            presharedKey: HPKEPresharedKey?
        ) throws(CryptoKitError) {
            let sharedSecret = try HPKEKEM(ciphersuite: ciphersuite).decapsulate(encapsulatedKey, with: privateKey)
            context = HPKEContext(
                schedule: try HPKEKeySchedule(
                    sharedSecret: sharedSecret, ciphersuite: ciphersuite, info: info, presharedKey: presharedKey))
        }

        /// SetupBaseR (RFC 9180 5.1.1); an encapsulated key that is no point is refused as `P256.KeyAgreement.PublicKey` does.
        public init(
            privateKey: P256.KeyAgreement.PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            try self.init(
                privateKey: privateKey, ciphersuite: ciphersuite, info: info, encapsulatedKey: encapsulatedKey,
                presharedKey: nil)
        }

        /// SetupPSKR (RFC 9180 5.1.2); the preshared key is judged as ``Sender`` does.
        public init(
            privateKey: P256.KeyAgreement.PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                privateKey: privateKey, ciphersuite: ciphersuite, info: info, encapsulatedKey: encapsulatedKey,
                presharedKey: HPKEPresharedKey(key: psk, identifier: pskID))
        }

        /// Opens the next message. `ciphertextTooShort` under 16 bytes, `authenticationFailure` where it does not fit.
        public mutating func open<C: DataProtocol, AD: DataProtocol>(
            _ ciphertext: C, authenticating aad: AD
        ) throws -> Data {
            try context.open(ciphertext, authenticating: aad)
        }

        /// Opens the next message with nothing authenticated beside it.
        public mutating func open<C: DataProtocol>(_ ciphertext: C) throws -> Data {
            try context.open(ciphertext, authenticating: [UInt8]())
        }

        /// A secret of `outputByteCount` bytes for another use (RFC 9180 5.3); `incorrectParameterSize` outside 1...8,160.
        public func exportSecret<Context: DataProtocol>(
            context: Context, outputByteCount: Int
        ) throws -> SymmetricKey {
            try self.context.exportSecret(context: context, outputByteCount: outputByteCount)
        }
    }
}
