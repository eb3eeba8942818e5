import CryptoPrimitives

extension SymmetricKey {
    /// The bytes of a key that is published.
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
