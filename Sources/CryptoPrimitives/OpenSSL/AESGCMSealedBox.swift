public import FoundationEssentials

extension AES.GCM {
    /// What a seal gives: nonce (12 bytes), ciphertext (as long as the message) and tag (16 bytes).
    public struct SealedBox: Sendable {
        /// The nonce, 12 bytes.
        public let nonce: Nonce

        /// Nonce, ciphertext and tag in one piece.
        let whole: Data

        init(nonce: Nonce, whole: Data) {
            self.nonce = nonce
            self.whole = whole
        }

        /// The parts as given; `incorrectParameterSize` unless the tag has 16 bytes.
        public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {
            guard tag.count == tagByteCount else { throw CryptoKitError.incorrectParameterSize }
            var whole = Data(nonce)
            whole.append(contentsOf: ciphertext)
            whole.append(contentsOf: tag)
            self.init(nonce: nonce, whole: whole)
        }

        /// The parts cut out of nonce, ciphertext and tag in one piece; `incorrectParameterSize` under 28 bytes.
        public init<D: DataProtocol>(combined: D) throws {
            guard combined.count >= Nonce.byteCount + tagByteCount else {
                throw CryptoKitError.incorrectParameterSize
            }
            self.init(nonce: try Nonce(data: Data(combined.prefix(Nonce.byteCount))), whole: Data(combined))
        }

        /// The ciphertext, as long as the message.
        public var ciphertext: Data { Data(whole.dropFirst(Nonce.byteCount).dropLast(tagByteCount)) }

        /// The tag, 16 bytes.
        public var tag: Data { Data(whole.suffix(tagByteCount)) }

        /// Nonce, ciphertext and tag in one piece; never nil here, as every nonce has 12 bytes.
        public var combined: Data? { whole }
    }
}
