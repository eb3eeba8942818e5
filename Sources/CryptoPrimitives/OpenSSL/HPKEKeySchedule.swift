import FoundationEssentials

/// KeySchedule (RFC 9180 5.1): key, base nonce and exporter secret out of the KEM's shared secret.
struct HPKEKeySchedule: Sendable {
    let ciphersuite: HPKE.Ciphersuite
    let key: SymmetricKey
    let baseNonce: SecretBytes
    let exporterSecret: SecretBytes

    /// Mode PSK with a preshared key, mode base without.
    init(
        sharedSecret: SecretBytes, ciphersuite: HPKE.Ciphersuite, info: Data, presharedKey: HPKEPresharedKey?
    ) throws(CryptoKitError) {
        let labels = HPKELabels(suiteIdentifier: ciphersuite.identifier)
        let context = try Self.context(labels: labels, info: info, presharedKey: presharedKey)
        let secret = try Self.secret(labels: labels, sharedSecret: sharedSecret, presharedKey: presharedKey)
        self.ciphersuite = ciphersuite
        key = SymmetricKey(
            storage: try labels.expand(secret, label: "key", info: context, outputByteCount: AES.GCM.keyByteCount))
        baseNonce = try labels.expand(
            secret, label: "base_nonce", info: context, outputByteCount: AES.GCM.Nonce.byteCount)
        exporterSecret = try labels.expand(
            secret, label: "exp", info: context, outputByteCount: DigestContext.digestByteCount)
    }

    /// key_schedule_context: the mode, then psk_id_hash and info_hash.
    static func context(
        labels: HPKELabels, info: Data, presharedKey: HPKEPresharedKey?
    ) throws(CryptoKitError) -> Data {
        let identifier = presharedKey?.identifier ?? Data()
        let mode: UInt8 = presharedKey == nil ? 0x00 : 0x01
        var context = Data([mode])
        for (label, hashed) in [("psk_id_hash", identifier), ("info_hash", info)] as [(StaticString, Data)] {
            try hashed.withBytes { (bytes) throws(CryptoKitError) in
                try labels.extract(salt: nil, label: label, bytes).withUnsafeBytes { context.append(contentsOf: $0) }
            }
        }
        return context
    }

    /// secret: the preshared key, or nothing, extracted under the shared secret.
    static func secret(
        labels: HPKELabels, sharedSecret: SecretBytes, presharedKey: HPKEPresharedKey?
    ) throws(CryptoKitError) -> SecretBytes {
        guard let presharedKey else {
            return try labels.extract(salt: sharedSecret, label: "secret", .empty)
        }
        return try presharedKey.key.storage.withUnsafeBytes { (bytes) throws(CryptoKitError) in
            try labels.extract(salt: sharedSecret, label: "secret", bytes)
        }
    }
}
