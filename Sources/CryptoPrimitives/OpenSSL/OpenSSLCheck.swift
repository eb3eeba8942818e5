import COpenSSL

/// Throws `CryptoKitError.underlyingCoreCryptoError` unless OpenSSL answered 1, and clears OpenSSL's error queue then.
@inline(__always)
func require(_ answer: Int32) throws(CryptoKitError) {
    guard answer == 1 else { throw openSSLFailure() }
}

/// The handle, or the error of ``require(_:)`` where OpenSSL gave none.
@inline(__always)
func require(_ handle: OpaquePointer?) throws(CryptoKitError) -> OpaquePointer {
    guard let handle else { throw openSSLFailure() }
    return handle
}

/// Takes the reason off OpenSSL's error queue, empties the queue and names the reason as an error.
@inline(never)
func openSSLFailure() -> CryptoKitError {
    let reason = Int32(truncatingIfNeeded: ERR_peek_last_error() & 0x7F_FFFF)
    ERR_clear_error()
    return .underlyingCoreCryptoError(error: reason)
}

/// The result, or a trap: for CryptoKit's signatures that cannot throw, where only exhausted memory or a broken
/// installation of OpenSSL makes the body fail.
@inline(__always)
func orTrap<Result>(_ body: () throws(CryptoKitError) -> Result) -> Result {
    do throws(CryptoKitError) {
        return try body()
    } catch {
        preconditionFailure("OpenSSL or the system's randomness is not usable")
    }
}
