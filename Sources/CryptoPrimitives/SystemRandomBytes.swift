#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL
    import Glibc
#endif

/// The operating system's random number generator (`getrandom`; `arc4random_buf` on Apple).
///
/// Twelve bytes and more that are one byte over and over are taken for no randomness. Nothing else about them is judged.
package enum SystemRandomBytes {
    /// The system gave no randomness; a caller must not go on without.
    package struct Unavailable: Error, Equatable {
        /// The system's error number.
        package let code: Int32
    }

    /// Fills the whole buffer with random bytes, or throws ``Unavailable`` and leaves it wiped.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(Unavailable) {
        try fill(buffer, from: read)
    }

    /// Asks the source until the buffer is full: it answers as `read(2)` does.
    static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from source: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(Unavailable) {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got = source(rest)
            if got > 0 {
                filled += got
            } else if got == 0 || errno != EINTR {
                let failure = Unavailable(code: got == 0 ? EIO : errno)
                wipe(buffer)
                throw failure
            }
        }
        // A source that says yes and writes nothing, or one byte over and over: 12 equal bytes come by chance once in 2^88 draws.
        guard buffer.count < 12 || !buffer.allSatisfy({ $0 == buffer[0] }) else {
            wipe(buffer)
            throw Unavailable(code: EIO)
        }
    }

    /// That many random bytes, or ``Unavailable``.
    package static func bytes(_ byteCount: Int) throws(Unavailable) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var failure: Unavailable?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(Unavailable) {
                try fill(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The number of bytes written, or -1 with `errno` set.
    private static func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            guard let start = buffer.baseAddress else { return 0 }
            arc4random_buf(start, buffer.count)
            return buffer.count
        #else
            return getrandom(buffer.baseAddress, buffer.count, 0)
        #endif
    }
}
