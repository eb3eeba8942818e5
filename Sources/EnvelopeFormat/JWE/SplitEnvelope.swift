public import CryptoPrimitives

/// The split profile: three fields of base64, AES-256-GCM under a key of its own, no associated data (envelope spec, section 10).
public struct SplitEnvelope: Sendable {
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// - Throws: `malformed` unless there are exactly three strings of canonical base64, the nonce of 12 and the tag of 16 bytes.
    public init(_ members: [JSONMember]) throws(Outcome) {
        func bytes(_ name: String) -> [UInt8]? {
            members.first { $0.name.isSame(as: name) }?.value.text.flatMap { Base64.decode($0) }
        }
        guard members.count == 3, let ciphertext = bytes("ciphertext"), let nonce = bytes("nonce"),
            let tag = bytes("tag"),
            nonce.count == 12, tag.count == 16
        else { throw .malformed }
        self.ciphertext = ciphertext
        self.nonce = nonce
        self.tag = tag
    }

    /// The bytes of the body text.
    /// - Throws: `not-authentic`.
    public func open(with key: SymmetricKey) throws(Outcome) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
            return Array(try AES.GCM.open(box, using: key))
        } catch {
            throw .notAuthentic
        }
    }

    // MARK: Sealing

    /// The longest text in bytes whose object takes at most `room` bytes; negative when none does.
    package static func capacity(room: Int) -> Int {
        let fixed = #"{"ciphertext":"","nonce":"","tag":""}"#.utf8.count + 16 + 24
        return room < fixed ? -1 : (room - fixed) / 4 * 3
    }

    /// Appends the object of three fields. The nonce is fresh and random for every seal under one key.
    package static func append(_ text: String, key: SymmetricKey, nonce: AES.GCM.Nonce, to output: inout ByteWriter)
        throws
    {
        let box = try AES.GCM.seal(Array(text.utf8), using: key, nonce: nonce)
        output.append(
            json: .object([
                JSONMember("ciphertext", .string(Base64.encode(box.ciphertext))),
                JSONMember("nonce", .string(Base64.encode(box.nonce))),
                JSONMember("tag", .string(Base64.encode(box.tag))),
            ]))
    }
}
