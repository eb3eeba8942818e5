import COpenSSL

/// The owner of an `EVP_CIPHER_CTX` with the key schedule of one AES-256-GCM key; OpenSSL wipes it when it is freed.
///
/// All lengths are judged here, before OpenSSL sees them: it takes tags from 1 byte and nonces of any length.
/// Not to be used by two threads at once.
struct AESGCMContext: ~Copyable {
    /// A context serves one direction.
    enum Direction {
        case sealing, opening
    }

    private let handle: OpaquePointer

    init(key: SymmetricKey, for direction: Direction) throws(CryptoKitError) {
        guard key.storage.count == AES.GCM.keyByteCount else { throw .incorrectKeySize }
        let cipher = try OpenSSLAlgorithms.aes256GCM()
        let isSealing: Int32 = direction == .sealing ? 1 : 0
        let made = try require(EVP_CIPHER_CTX_new())
        let answer = key.storage.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_CipherInit_ex2(made, cipher, start, nil, isSealing, nil)
        }
        guard answer == 1 else {
            EVP_CIPHER_CTX_free(made)
            throw openSSLFailure()
        }
        handle = made
    }

    deinit {
        EVP_CIPHER_CTX_free(handle)
    }

    /// Writes ciphertext and tag, 16 bytes more than the plaintext; wipes the output where it fails.
    ///
    /// The output may begin where the plaintext does, and else must not overlap it.
    func seal(
        _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        authenticating authenticated: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoKitError) {
        do throws(CryptoKitError) {
            let count = try lengthForOpenSSL(plaintext)
            guard output.count == plaintext.count + AES.GCM.tagByteCount, let start = output.baseAddress else {
                throw .incorrectParameterSize
            }
            try begin(nonce: nonce, authenticating: authenticated)
            let bytes = start.assumingMemoryBound(to: UInt8.self)
            let ends = Ends(of: plaintext)
            let copy = ClearCopy(of: plaintext)
            var written: Int32 = 0
            if count > 0 {
                let message = plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self)
                try require(EVP_CipherUpdate(handle, bytes, &written, message, count))
            }
            guard written == count else { throw openSSLFailure() }
            try require(EVP_CipherFinal_ex(handle, bytes + plaintext.count, &written))
            try require(
                EVP_CIPHER_CTX_ctrl(
                    handle, EVP_CTRL_AEAD_GET_TAG, Int32(AES.GCM.tagByteCount), bytes + plaintext.count))
            // Sealed in place, what was not written would go out as it is.
            if let ends, let now = Ends(of: UnsafeRawBufferPointer(rebasing: output[..<plaintext.count])),
                ends.first == now.first || ends.last == now.last
            {
                throw openSSLFailure()
            }
            if copy?.isSeen(in: UnsafeRawBufferPointer(output)) ?? false { throw openSSLFailure() }
        } catch {
            wipe(output)
            throw error
        }
    }

    /// Writes the plaintext, 16 bytes less than what was sealed, or wipes the output and throws: `authenticationFailure`
    /// where the tag does not fit.
    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        authenticating authenticated: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoKitError) {
        do throws(CryptoKitError) {
            let tagByteCount = AES.GCM.tagByteCount
            guard sealed.count >= tagByteCount, output.count == sealed.count - tagByteCount,
                let start = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
            else { throw .incorrectParameterSize }
            let count = try lengthForOpenSSL(sealed) - Int32(tagByteCount)
            try begin(nonce: nonce, authenticating: authenticated)
            // OpenSSL only reads the tag; its parameter lacks the const.
            let tag = UnsafeMutablePointer(mutating: start + output.count)
            try require(EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), tag))
            let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var written: Int32 = 0
            if count > 0 {
                try require(EVP_CipherUpdate(handle, bytes, &written, start, count))
            }
            guard written == count else { throw openSSLFailure() }
            var none: UInt8 = 0
            guard EVP_CipherFinal_ex(handle, &none, &written) == 1 else {
                ERR_clear_error()
                throw .authenticationFailure
            }
        } catch {
            wipe(output)
            throw error
        }
    }

    /// The first and the last block's length of a text; nil for one so short that it may be sealed to itself by chance.
    private struct Ends {
        let first: SIMD2<UInt64>
        let last: SIMD2<UInt64>

        init?(of text: UnsafeRawBufferPointer) {
            guard text.count >= 16 else { return nil }
            first = text.loadUnaligned(as: SIMD2<UInt64>.self)
            last = text.loadUnaligned(fromByteOffset: text.count - 16, as: SIMD2<UInt64>.self)
        }
    }

    /// Sets the nonce, 12 bytes, and takes in the data that is only authenticated.
    private func begin(
        nonce: UnsafeRawBufferPointer, authenticating authenticated: UnsafeRawBufferPointer
    ) throws(CryptoKitError) {
        guard nonce.count == AES.GCM.Nonce.byteCount else { throw .incorrectParameterSize }
        let nonceBytes = nonce.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let sameDirection: Int32 = -1
        try require(EVP_CipherInit_ex2(handle, nil, nil, nonceBytes, sameDirection, nil))
        let count = try lengthForOpenSSL(authenticated)
        guard count > 0 else { return }
        var taken: Int32 = 0
        let bytes = authenticated.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try require(EVP_CipherUpdate(handle, nil, &taken, bytes, count))
    }

    /// OpenSSL counts in 32 bits.
    private func lengthForOpenSSL(_ bytes: UnsafeRawBufferPointer) throws(CryptoKitError) -> Int32 {
        guard let count = Int32(exactly: bytes.count) else { throw .incorrectParameterSize }
        return count
    }
}
