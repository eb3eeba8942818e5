public import CryptoPrimitives

/// JWE `dir` with `A256GCM` (RFC 7518 sections 4.5 and 5.3): one sealed payload for all devices, under K_n.
public struct DirectEnvelope: Sendable {
    static let encryption = "A256GCM"
    /// In bytes.
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    public let keyIdentifier: KeyIdentifier
    private let associatedData: [UInt8]
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// The second half of step 5.
    init(_ jwe: CompactJWE) throws(Outcome) {
        guard jwe.hasExactly(["alg", "enc", "kid", "typ"]),
            jwe.encryptedKey.isEmpty, jwe.initializationVector.count == Self.nonceByteCount,
            jwe.tag.count == Self.tagByteCount,
            let kid = jwe["kid"], let keyIdentifier = KeyIdentifier(kid)
        else { throw .malformed }
        self.keyIdentifier = keyIdentifier
        associatedData = jwe.associatedData
        nonce = jwe.initializationVector
        ciphertext = jwe.ciphertext
        tag = jwe.tag
    }

    /// The plaintext, padding included.
    /// - Throws: `not-authentic`, for whatever reason.
    public func open(with key: SymmetricKey) throws(Outcome) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
            return Array(try AES.GCM.open(box, using: key, authenticating: associatedData))
        } catch {
            throw .notAuthentic
        }
    }

    // MARK: Sealing

    /// The encoded protected header: the same for every seal under one `kid`.
    package static func encodedHeader(_ kid: KeyIdentifier) -> [UInt8] {
        let header = #"{"alg":"dir","enc":"\#(encryption)","kid":"\#(kid)","typ":"\#(EnvelopeType.message.rawValue)"}"#
        return Array(Base64URL.encode(header.utf8).utf8)
    }

    /// The longest plaintext in bytes whose compact serialization takes at most `room` characters; negative when none does.
    package static func capacity(room: Int, encodedHeader: [UInt8]) -> Int {
        let rest =
            room - encodedHeader.count - 4 - Base64URL.encodedCount(nonceByteCount)
            - Base64URL.encodedCount(tagByteCount)
        return rest < 0 ? -1 : Base64URL.decodedCount(rest)
    }

    /// The characters that a plaintext of so many bytes takes in compact serialization.
    package static func serializedCount(plaintextByteCount: Int, encodedHeader: [UInt8]) -> Int {
        encodedHeader.count + 4 + Base64URL.encodedCount(nonceByteCount) + Base64URL.encodedCount(plaintextByteCount)
            + Base64URL.encodedCount(tagByteCount)
    }

    /// Seals in place and writes the compact serialization at `output`, which has room for
    /// ``serializedCount(plaintextByteCount:encodedHeader:)``.
    ///
    /// - Parameters:
    ///   - sealed: the plaintext and behind it room for 16 bytes of tag; afterwards ciphertext and tag.
    ///   - nonce: 12 bytes, fresh and random for every seal under one key.
    package static func seal(
        inPlace sealed: UnsafeMutableRawBufferPointer, encodedHeader: [UInt8], key: AESGCMSealingKey,
        nonce: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>
    ) throws {
        let byteCount = sealed.count - tagByteCount
        try encodedHeader.withUnsafeBytes { header in
            try key.seal(
                UnsafeRawBufferPointer(rebasing: sealed[..<byteCount]), nonce: nonce, authenticating: header,
                into: sealed)
            UnsafeMutableRawPointer(output).copyMemory(
                from: header.baseAddress ?? UnsafeRawPointer(output), byteCount: header.count)
        }
        var position = encodedHeader.count
        func separator() {
            output[position] = UInt8(ascii: ".")
            position += 1
        }
        func part(_ bytes: UnsafeRawBufferPointer) {
            Base64URL.encode(bytes, into: output + position)
            position += Base64URL.encodedCount(bytes.count)
        }
        separator()
        separator()
        part(nonce)
        separator()
        part(UnsafeRawBufferPointer(rebasing: sealed[..<byteCount]))
        separator()
        part(UnsafeRawBufferPointer(rebasing: sealed[byteCount...]))
    }
}
