import CryptoPrimitives

/// What is right in one shape may be wrong in another: each function over a ladder of lengths.
extension SelfTest {
    private static let source = "Tests/Interop/known_answers.py; the digest of all of them"
    private static let keyBytes = [UInt8](0x80..<0xA0)

    static let shapes = [
        Check("SHA-256 of many lengths", from: source) {
            let digest = Shape.digest(upTo: Shape.block) { shape in
                let text = shape.text
                let whole = Array(SHA256.hash(data: text))
                guard text.count <= Shape.row else { return whole }
                var parts = SHA256()
                parts.update(data: text.prefix(shape.besideByteCount))
                parts.update(data: text.dropFirst(shape.besideByteCount))
                return Array(parts.finalize()) == whole ? whole : nil
            }
            return digest == bytes("a4f1eb4eb3bf349a7fa60f72eea118b828c33534258fd280f37a1af8b35cb187")
        },
        // With one kept context in place, as the hot path seals, and with a fresh one into other memory.
        Check("AES-256-GCM of many lengths, context kept and fresh", from: source) {
            let key = SymmetricKey(data: keyBytes)
            let kept = try AESGCMSealingKey(key)
            let digest = try Shape.digest(upTo: Shape.block) { shape in
                let (text, beside, nonce) = (shape.text, shape.beside, shape.nonce(12))
                let sealed = try sealInPlace(text, nonce, beside, with: kept)
                let box = try AES.GCM.seal(text, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: beside)
                guard box.ciphertext + box.tag == Data(sealed) else { return nil }
                return try AES.GCM.open(box, using: key, authenticating: beside) == Data(text) ? sealed : nil
            }
            return digest == bytes("622a4eb016926741cf60a23cc2a39520dca66cfed6ce9bb332aac37a33157e11")
        },
        Check("HMAC-SHA-256 of many lengths", from: source) {
            let digest = Shape.digest(upTo: Shape.row) { shape in
                Array(HMAC<SHA256>.authenticationCode(for: shape.text, using: SymmetricKey(data: shape.beside)))
            }
            return digest == bytes("2dc38f88c5aad2d82038e12e74f7101ec55fa6f85ee6a34272d6bb9e957d1994")
        },
        Check("HKDF-SHA-256 of many lengths", from: source) {
            let digest = Shape.digest(upTo: Shape.row) { shape in
                // An info of kilobytes is hashed for every 32 bytes, and nothing here has one.
                bytes(
                    of: HKDF<SHA256>.deriveKey(
                        inputKeyMaterial: SymmetricKey(data: keyBytes), salt: shape.beside, info: shape.text.prefix(1_039),
                        outputByteCount: [32, 12, 33, 64, 255][shape.number % 5]))
            }
            return digest == bytes("ea651f37c3b5b3d64774bdb25d0486add003513ba808d3730965f5a1cc2bce92")
        },
    ]

    static let storageShapes = [
        Check("XChaCha20-Poly1305 of many lengths", from: source) {
            let wrappingKey = try guardedKey()
            let digest = try Shape.digest(upTo: Shape.row) { shape in
                let (text, beside) = (shape.text, shape.beside)
                // A row's seal has no text, not even an address of one.
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                let sealed = try text.withUnsafeBytes {
                    try KeyWrap.wrap(text.isEmpty ? none : $0, nonce: shape.nonce(24), key: wrappingKey, associatedData: beside)
                }
                var opened = [UInt8](repeating: 0, count: text.count)
                try opened.withUnsafeMutableBytes { opened in
                    let output = text.isEmpty ? UnsafeMutableRawBufferPointer(start: nil, count: 0) : opened
                    try KeyWrap.unwrap(sealed, into: output, key: wrappingKey, associatedData: beside)
                }
                return opened == text ? sealed : nil
            }
            return digest == bytes("d6baacf11a563535bf8dcbeba73132dc1756efccce5286962266296e3417bc57")
        },
        Check("BLAKE2b-256 with a key, of many lengths", from: source) {
            let digestKey = try guardedKey()
            let digest = try Shape.digest(upTo: Shape.row) { try KeyedDigest.digest(of: $0.text, key: digestKey) }
            return digest == bytes("03fb91c433a1637c0419e3c91bc84765dd94a777aab5746550e595eee8945e84")
        },
        Check("BLAKE2b-256 without a key, of many lengths", from: source) {
            let digest = try Shape.digest(upTo: Shape.row) { try UnkeyedDigest.digest(of: $0.text) }
            return digest == bytes("c72cebbb73eea15bacfd28e2214ea5ccfdae375968cf1fdcc3898fb3f0031cc3")
        },
        // Its header given, a stream for opening is in the state of the one for sealing, which draws its own.
        Check("secret stream of many lengths", from: source) {
            let header = [UInt8](0x40..<0x58)
            let (sealing, opening) = try (
                SecretStream.opening(guardedKey(), header: header), SecretStream.opening(guardedKey(), header: header)
            )
            let digest = try Shape.digest(upTo: Shape.block) { shape in
                let (text, beside) = (shape.text, shape.beside)
                let sealed = try text.withUnsafeBytes { try sealing.seal($0, associatedData: beside, isLast: shape.isLast) }
                var opened = [UInt8](repeating: 0, count: text.count)
                let (count, isLast) = try opened.withUnsafeMutableBytes {
                    try opening.open(sealed[...], into: $0, associatedData: beside)
                }
                return opened == text && count == text.count && isLast == shape.isLast ? sealed : nil
            }
            return digest == bytes("eb9fc754631d067955fefb0df6f1b3820fd4a452c7efcffc33b55b6d6266f2c4")
        },
    ]

    private static func guardedKey() throws(SodiumError) -> GuardedBytes {
        var bytes = keyBytes
        return try GuardedBytes(consuming: &bytes)
    }
}
