import COpenSSL

/// The owner of an `EC_POINT`.
struct CurvePoint: ~Copyable {
    let handle: OpaquePointer

    init(in group: OpaquePointer) throws(CryptoKitError) {
        handle = try require(EC_POINT_new(group))
    }

    deinit {
        EC_POINT_free(handle)
    }
}
