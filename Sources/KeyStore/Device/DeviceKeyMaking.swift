internal import CryptoPrimitives

/// A device key from random bytes that never are anything but a key's.
enum DeviceKeyMaking {
    static func make() throws(KeyStoreError) -> (raw: SymmetricKey, key: P256.KeyAgreement.PrivateKey) {
        // One draw in 2^32 is no scalar of the curve.
        for _ in 0..<8 {
            let raw = SymmetricKey(size: .bits256)
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: raw) { return (raw, key) }
        }
        throw KeyStoreError(.unavailable, "identity", "no key can be drawn")
    }
}
