import COpenSSL
import FoundationEssentials

/// The owner of an `EVP_PKEY` on P-256, validated when made, only read afterwards; OpenSSL wipes the scalar when it is freed.
final class ECKey: @unchecked Sendable {
    private let handle: OpaquePointer

    private init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        EVP_PKEY_free(handle)
    }

    /// A fresh key pair.
    static func generate() throws(CryptoKitError) -> ECKey {
        try ECKey(owning: ECKeyGenerator.generate())
    }

    /// A public key of an uncompressed point (SEC 1 2.3.4): `incorrectParameterSize` unless it has 65 bytes,
    /// `invalidParameter` unless the first is 4, both coordinates are below p and the point is on the curve.
    static func publicKey(x963Representation: some ContiguousBytes) throws(CryptoKitError) -> ECKey {
        var decoded: OpaquePointer?
        try x963Representation.withBytes { (point) throws(CryptoKitError) in
            guard point.count == P256.pointByteCount else { throw .incorrectParameterSize }
            guard point[0] == 4 else { throw .invalidParameter }
            decoded = try decode(point: point, scalar: nil)
        }
        guard let decoded else { throw .invalidParameter }
        let key = ECKey(owning: decoded)
        // In range, on the curve and not at infinity: all there is to check, as the cofactor is 1 (SP 800-56A 5.6.2.3.4).
        // OpenSSL 3.0 looks at it when it decodes, too, but does not promise that.
        let context = try KeyContext(decoded)
        guard EVP_PKEY_public_check_quick(context.handle) == 1 else {
            ERR_clear_error()
            throw .invalidParameter
        }
        return key
    }

    /// A key pair of a private scalar: `incorrectParameterSize` unless it has 32 bytes, `invalidParameter` outside 1...n-1.
    static func privateKey(rawRepresentation: some ContiguousBytes) throws(CryptoKitError) -> ECKey {
        var decoded: OpaquePointer?
        try rawRepresentation.withBytes { (scalar) throws(CryptoKitError) in
            guard scalar.count == P256.scalarByteCount else { throw .incorrectParameterSize }
            guard P256.isPrivateScalar(scalar) else { throw .invalidParameter }
            try withWipedBytes(P256.scalarByteCount + P256.pointByteCount) { (scratch) throws(CryptoKitError) in
                let reversed = UnsafeMutableRawBufferPointer(rebasing: scratch[..<P256.scalarByteCount])
                reversed.copyBytes(from: scalar.reversed())
                let point = UnsafeMutableRawBufferPointer(rebasing: scratch[P256.scalarByteCount...])
                try writePoint(of: scalar, into: point)
                decoded = try decode(point: UnsafeRawBufferPointer(point), scalar: reversed)
            }
        }
        return ECKey(owning: try require(decoded))
    }

    /// Writes the 65 bytes of the uncompressed public point.
    func writePoint(into point: UnsafeMutableRawBufferPointer) throws(CryptoKitError) {
        guard point.count == P256.pointByteCount else { throw .incorrectParameterSize }
        var written = 0
        let start = point.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try require(EVP_PKEY_get_octet_string_param(handle, OSSL_PKEY_PARAM_PUB_KEY, start, point.count, &written))
        guard written == point.count, point[0] == 4 else { throw .invalidParameter }
    }

    /// Writes the 32 bytes of the private scalar, big-endian.
    func writeScalar(into scalar: UnsafeMutableRawBufferPointer) throws(CryptoKitError) {
        guard scalar.count == P256.scalarByteCount else { throw .incorrectParameterSize }
        let number = BigNumber()
        try require(EVP_PKEY_get_bn_param(handle, OSSL_PKEY_PARAM_PRIV_KEY, &number.handle))
        let start = scalar.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard BN_bn2binpad(number.handle, start, Int32(scalar.count)) == Int32(scalar.count) else {
            throw openSSLFailure()
        }
    }

    /// The x coordinate of the agreed point, 32 bytes. The peer's point was validated when it was decoded, so not again.
    func sharedSecret(with peer: ECKey) throws(CryptoKitError) -> SecretBytes {
        let context = try KeyContext(handle)
        try require(EVP_PKEY_derive_init(context.handle))
        try require(EVP_PKEY_derive_set_peer_ex(context.handle, peer.handle, 0))
        return try SecretBytes(byteCount: P256.scalarByteCount) { (secret) throws(CryptoKitError) in
            var count = secret.count
            let start = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try require(EVP_PKEY_derive(context.handle, start, &count))
            guard count == secret.count else { throw .incorrectParameterSize }
        }
    }

    /// An `EVP_PKEY` of the point and, for a pair, the little-endian scalar; nil where OpenSSL refuses them.
    private static func decode(
        point: UnsafeRawBufferPointer, scalar: UnsafeMutableRawBufferPointer?
    ) throws(CryptoKitError) -> OpaquePointer? {
        let context = try KeyContext()
        try require(EVP_PKEY_fromdata_init(context.handle))
        var parameters = [OSSL_PARAM](repeating: OSSL_PARAM(), count: Int(WAXWING_P256_PARAM_COUNT))
        let pointBytes = point.baseAddress?.assumingMemoryBound(to: UInt8.self)
        waxwing_p256_params(
            &parameters, UnsafeMutablePointer(mutating: pointBytes),
            scalar?.baseAddress?.assumingMemoryBound(to: UInt8.self))
        let selection = scalar == nil ? WAXWING_EVP_PKEY_PUBLIC_KEY : WAXWING_EVP_PKEY_KEYPAIR
        var handle: OpaquePointer?
        guard EVP_PKEY_fromdata(context.handle, &handle, selection, &parameters) == 1 else {
            ERR_clear_error()
            return nil
        }
        return handle
    }

    /// Writes the uncompressed point of the big-endian scalar, scalar times the generator.
    private static func writePoint(
        of scalar: UnsafeRawBufferPointer, into point: UnsafeMutableRawBufferPointer
    ) throws(CryptoKitError) {
        let group = try OpenSSLAlgorithms.p256()
        let number = BigNumber()
        let start = scalar.baseAddress?.assumingMemoryBound(to: UInt8.self)
        number.handle = try require(BN_bin2bn(start, Int32(scalar.count), nil))
        BN_set_flags(number.handle, BN_FLG_CONSTTIME)
        let product = try CurvePoint(in: group)
        try require(EC_POINT_mul(group, product.handle, number.handle, nil, nil, nil))
        let bytes = point.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard
            EC_POINT_point2oct(group, product.handle, POINT_CONVERSION_UNCOMPRESSED, bytes, point.count, nil)
                == point.count
        else { throw openSSLFailure() }
    }
}
