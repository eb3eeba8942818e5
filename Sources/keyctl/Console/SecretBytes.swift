import Glibc

/// Wiping of bytes that held a secret.
enum SecretBytes {
    /// Overwrites the bytes in place; the array must be their only owner.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        }
    }
}
