import COpenSSL
import Glibc

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
/// installation of OpenSSL makes the body fail. A line on standard error says before it which function could not go on.
@inline(__always)
func orTrap<Result>(
    in function: StaticString = #function, of file: StaticString = #fileID, _ body: () throws(CryptoKitError) -> Result
) -> Result {
    do throws(CryptoKitError) {
        return try body()
    } catch {
        trap("\(file), \(function): OpenSSL or the system's randomness is not usable (\(error))\n")
    }
}

/// Built for release, Swift's own trap says nothing.
@inline(never)
private func trap(_ line: String) -> Never {
    var line = line
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    preconditionFailure()
}
