import COpenSSL

/// The owner of a secret `BIGNUM`, wiped when it is freed.
final class BigNumber {
    var handle: OpaquePointer?

    deinit {
        BN_clear_free(handle)
    }
}
