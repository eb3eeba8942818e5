#if canImport(Darwin)
    import Foundation

    /// An AES-256-GCM key (NIST SP 800-38D) for many seals, by CryptoKit, which keeps no key schedule.
    package final class AESGCMSealingKey: Sendable {
        private let key: SymmetricKey

        /// Keeps the key; `incorrectKeySize` unless it has 256 bits.
        package init(_ key: SymmetricKey) throws(CryptoKitError) {
            guard key.bitCount == 256 else { throw .incorrectKeySize }
            self.key = key
        }

        /// Writes ciphertext and tag, 16 bytes more than the plaintext, into the output; the nonce has 12 bytes.
        ///
        /// Throws `incorrectParameterSize` for other lengths, and wipes the output where it throws.
        package func seal(
            _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
            authenticating authenticated: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
        ) throws(CryptoKitError) {
            guard nonce.count == 12, output.count == plaintext.count + 16 else {
                wipe(output)
                throw .incorrectParameterSize
            }
            do {
                let box = try AES.GCM.seal(
                    plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: authenticated)
                box.ciphertext.copyBytes(to: output)
                box.tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: output[plaintext.count...]))
            } catch {
                wipe(output)
                throw error as? CryptoKitError ?? .incorrectParameterSize
            }
        }
    }
#endif
