internal import CSodium

/// Wrapping at rest: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) as nonce (24) ‖ ciphertext ‖ tag (16).
///
/// The nonce is random: with 192 bits no count of wraps has to be kept.
public enum KeyWrap {
    /// The number of bytes of a wrapping key.
    public static let keyByteCount = 32

    /// By how many bytes the wrapped form is longer than the plain one.
    public static let overheadByteCount = nonceByteCount + tagByteCount

    private static let nonceByteCount = 24
    private static let tagByteCount = 16

    /// nonce ‖ ciphertext ‖ tag.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)`` of the key.
    public static func wrap(
        _ plaintext: UnsafeRawBufferPointer, key: GuardedBytes, associatedData: [UInt8]
    ) throws(SodiumError) -> [UInt8] {
        try key.withBytes { (key) throws(SodiumError) in
            try wrap(plaintext, keyBytes: key, associatedData: associatedData)
        }
    }

    /// The same under a key in plain memory, which the caller wipes.
    static func wrap(
        _ plaintext: UnsafeRawBufferPointer, keyBytes: UnsafeRawBufferPointer, associatedData: [UInt8]
    ) throws(SodiumError) -> [UInt8] {
        let key = try check(keyBytes)
        var wrapped = [UInt8](repeating: 0, count: nonceByteCount + plaintext.count + tagByteCount)
        try SodiumLibrary.fillNonce(&wrapped, nonceByteCount)
        try seal(plaintext, into: &wrapped, key: key, associatedData: associatedData)
        return wrapped
    }

    /// The same under the nonce given, 24 bytes: for known answers alone.
    package static func wrap(
        _ plaintext: UnsafeRawBufferPointer, nonce: [UInt8], key: GuardedBytes, associatedData: [UInt8]
    ) throws(SodiumError) -> [UInt8] {
        guard nonce.count == nonceByteCount else { throw .wrongLength(of: "nonce", byteCount: nonce.count) }
        var wrapped = nonce + [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        try key.withBytes { (key) throws(SodiumError) in
            try seal(plaintext, into: &wrapped, key: try check(key), associatedData: associatedData)
        }
        return wrapped
    }

    /// Writes ciphertext and tag behind the nonce.
    private static func seal(
        _ plaintext: UnsafeRawBufferPointer, into wrapped: inout [UInt8], key: UnsafePointer<UInt8>, associatedData: [UInt8]
    ) throws(SodiumError) {
        var sealedCount: UInt64 = 0
        let status = wrapped.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return Int32(-1) }
            return crypto_aead_xchacha20poly1305_ietf_encrypt(
                start + nonceByteCount, &sealedCount,
                plaintext.bindMemory(to: UInt8.self).baseAddress, UInt64(plaintext.count),
                associatedData, UInt64(associatedData.count), nil, start, key)
        }
        guard status == 0, sealedCount == UInt64(plaintext.count + tagByteCount) else {
            throw .failed(operation: "wrap")
        }
    }

    /// nonce ‖ ciphertext ‖ tag of a key that is in guarded memory.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)`` of the key.
    public static func wrap(
        _ plaintext: GuardedBytes, key: GuardedBytes, associatedData: [UInt8]
    ) throws(SodiumError) -> [UInt8] {
        try plaintext.withBytes { (bytes) throws(SodiumError) in
            try wrap(bytes, key: key, associatedData: associatedData)
        }
    }

    /// What was wrapped, in guarded memory of its own.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)``, ``SodiumError/notAuthentic``.
    public static func unwrap(
        _ wrapped: [UInt8], key: GuardedBytes, associatedData: [UInt8]
    ) throws(SodiumError) -> GuardedBytes {
        guard wrapped.count >= overheadByteCount else {
            throw .wrongLength(of: "wrapped bytes", byteCount: wrapped.count)
        }
        return try GuardedBytes(
            count: wrapped.count - overheadByteCount,
            filledBy: { (output) throws(SodiumError) in
                try unwrap(wrapped, into: output, key: key, associatedData: associatedData)
            })
    }

    /// What was wrapped, into memory of exactly its length that the caller wipes; all zero when this throws.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)``, ``SodiumError/notAuthentic``.
    public static func unwrap(
        _ wrapped: [UInt8], into output: UnsafeMutableRawBufferPointer, key: GuardedBytes, associatedData: [UInt8]
    ) throws(SodiumError) {
        try key.withBytes { (key) throws(SodiumError) in
            try unwrap(wrapped, into: output, keyBytes: key, associatedData: associatedData)
        }
    }

    /// The same under a key in plain memory, which the caller wipes.
    static func unwrap(
        _ wrapped: [UInt8], into output: UnsafeMutableRawBufferPointer, keyBytes: UnsafeRawBufferPointer,
        associatedData: [UInt8]
    ) throws(SodiumError) {
        var isDone = false
        defer {
            if !isDone, let start = output.baseAddress { sodium_memzero(start, output.count) }
        }
        let key = try check(keyBytes)
        guard wrapped.count == output.count + overheadByteCount else {
            throw .wrongLength(of: "wrapped bytes", byteCount: wrapped.count)
        }
        var plainCount: UInt64 = 0
        let status = wrapped.withUnsafeBufferPointer { wrapped in
            guard let nonce = wrapped.baseAddress else { return Int32(-1) }
            return crypto_aead_xchacha20poly1305_ietf_decrypt(
                output.bindMemory(to: UInt8.self).baseAddress, &plainCount, nil,
                nonce + nonceByteCount, UInt64(wrapped.count - nonceByteCount),
                associatedData, UInt64(associatedData.count), nonce, key)
        }
        guard status == 0, plainCount == UInt64(output.count) else { throw .notAuthentic }
        isDone = true
    }

    private static func check(_ key: UnsafeRawBufferPointer) throws(SodiumError) -> UnsafePointer<UInt8> {
        try SodiumLibrary.prepare()
        guard key.count == keyByteCount, let start = key.bindMemory(to: UInt8.self).baseAddress else {
            throw .wrongLength(of: "wrapping key", byteCount: key.count)
        }
        return start
    }
}
