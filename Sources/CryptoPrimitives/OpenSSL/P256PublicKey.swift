public import FoundationEssentials

extension P256.KeyAgreement {
    /// A public key on P-256, decoded and validated once, when it is made.
    public struct PublicKey: Sendable {
        let key: ECKey
        private let point: Data

        init(key: ECKey) throws(CryptoKitError) {
            self.key = key
            point = try Data(byteCount: P256.pointByteCount) { (bytes) throws(CryptoKitError) in
                try key.writePoint(into: bytes)
            }
        }

        /// The key of an uncompressed point (SEC 1 2.3.3): `incorrectParameterSize` unless it has 65 bytes,
        /// `invalidParameter` unless the first is 4 and the point is on the curve.
        public init<D: ContiguousBytes>(x963Representation: D) throws {
            key = try ECKey.publicKey(x963Representation: x963Representation)
            point = x963Representation.withUnsafeBytes { Data($0) }
        }

        /// The uncompressed point, 65 bytes beginning with 4 (SEC 1 2.3.3).
        public var x963Representation: Data { point }

        /// Both coordinates, 64 bytes.
        public var rawRepresentation: Data { Data(point.dropFirst()) }
    }
}
