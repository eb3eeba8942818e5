#if canImport(Darwin)
    import Darwin
    package import Foundation
#else
    import COpenSSL
    package import FoundationEssentials
#endif

/// Whether both hold the same bytes; the time taken depends on the lengths alone. Different lengths are unequal.
package func constantTimeEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
    #if canImport(Darwin)
        return timingsafe_bcmp(leftStart, rightStart, left.count) == 0
    #else
        return CRYPTO_memcmp(leftStart, rightStart, left.count) == 0
    #endif
}

/// The same of arrays, keys, digests and whatever else hands out its bytes.
package func constantTimeEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
    left.withUnsafeBytes { leftBytes in
        right.withUnsafeBytes { constantTimeEqual(leftBytes, $0) }
    }
}
