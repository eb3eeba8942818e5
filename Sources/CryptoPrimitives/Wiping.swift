#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Overwrites the bytes with zeros, in a way the compiler keeps although nobody reads them again.
@inline(never)
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    #if canImport(Darwin)
        memset_s(start, bytes.count, 0, bytes.count)
    #else
        // As OPENSSL_cleanse, and many times as fast for a kilobyte.
        explicit_bzero(start, bytes.count)
    #endif
}

/// Overwrites the elements with zeros in place; an array shared with another variable is copied first, so wipe the only owner.
package func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { wipe($0) }
}

/// Runs the body on `byteCount` zeroed bytes of scratch memory and wipes them afterwards, also when the body throws.
package func withWipedBytes<Result, Failure: Error>(
    _ byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
) throws(Failure) -> Result {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
    scratch.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
        wipe(scratch)
        scratch.deallocate()
    }
    return try body(scratch)
}
