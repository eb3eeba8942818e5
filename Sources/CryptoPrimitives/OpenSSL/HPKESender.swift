public import FoundationEssentials

extension HPKE {
    /// The sealing side of HPKE (RFC 9180 5). A copy counts its own messages from the same number on, under the same
    /// key: never seal with both.
    public struct Sender: Sendable {
        /// The ephemeral public key, 65 bytes (`enc`).
        public let encapsulatedKey: Data

        var context: HPKEContext

        init(
            recipientKey: P256.KeyAgreement.PublicKey, ciphersuite: Ciphersuite, info: Data,
            presharedKey: HPKEPresharedKey?, ephemeralKey: P256.KeyAgreement.PrivateKey
        ) throws(CryptoKitError) {
            let kem = HPKEKEM(ciphersuite: ciphersuite)
            let sharedSecret = try kem.encapsulate(to: recipientKey, ephemeral: ephemeralKey)
            encapsulatedKey = ephemeralKey.publicKey.x963Representation
            context = HPKEContext(
                schedule: try HPKEKeySchedule(
                    sharedSecret: sharedSecret, ciphersuite: ciphersuite, info: info, presharedKey: presharedKey))
        }

        /// SetupBaseS (RFC 9180 5.1.1) with a fresh ephemeral key.
        public init(recipientKey: P256.KeyAgreement.PublicKey, ciphersuite: Ciphersuite, info: Data) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, presharedKey: nil,
                ephemeralKey: P256.KeyAgreement.PrivateKey(key: .generate()))
        }

        /// SetupPSKS (RFC 9180 5.1.2) with a fresh ephemeral key. `expectedPSK`, `inconsistentPSKInputs` where key or
        /// identifier is empty, `inconsistentParameters` where the key has under 32 bytes.
        public init(
            recipientKey: P256.KeyAgreement.PublicKey, ciphersuite: Ciphersuite, info: Data,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info,
                presharedKey: HPKEPresharedKey(key: psk, identifier: pskID),
                ephemeralKey: P256.KeyAgreement.PrivateKey(key: .generate()))
        }

        /// Seals the next message: ciphertext and tag, 16 bytes more. `outOfRangeSequenceNumber` past 2^64 - 2 messages.
        public mutating func seal<M: DataProtocol, AD: DataProtocol>(
            _ msg: M, authenticating aad: AD
        ) throws -> Data {
            try context.seal(msg, authenticating: aad)
        }

        /// Seals the next message with nothing authenticated beside it.
        public mutating func seal<M: DataProtocol>(_ msg: M) throws -> Data {
            try context.seal(msg, authenticating: [UInt8]())
        }

        /// A secret of `outputByteCount` bytes for another use (RFC 9180 5.3); `incorrectParameterSize` outside 1...8,160.
        public func exportSecret<Context: DataProtocol>(
            context: Context, outputByteCount: Int
        ) throws -> SymmetricKey {
            try self.context.exportSecret(context: context, outputByteCount: outputByteCount)
        }
    }
}
