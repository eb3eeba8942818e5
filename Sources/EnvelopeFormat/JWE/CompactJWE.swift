/// The five parts of a JWE in compact serialization (RFC 7516 section 7.1), each canonical base64url, the header a strict
/// JSON object of strings. Nothing is judged yet.
struct CompactJWE {
    /// The additional authenticated data: the ASCII of the encoded protected header (RFC 7516 section 5.1 step 14).
    let associatedData: [UInt8]
    private let header: [JSONMember]
    let encryptedKey: [UInt8]
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    /// Step 4 of opening.
    /// - Throws: `malformed`.
    init(_ text: [UInt8]) throws(Outcome) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 5 else { throw .malformed }
        var decoded: [[UInt8]] = []
        for part in parts {
            guard let bytes = Base64URL.decode(part) else { throw .malformed }
            decoded.append(bytes)
        }
        guard let members = try? JSONReader.read(decoded[0]).members,
            members.allSatisfy({ $0.value.text != nil })
        else { throw .malformed }
        associatedData = Array(parts[0])
        header = members
        encryptedKey = decoded[1]
        initializationVector = decoded[2]
        ciphertext = decoded[3]
        tag = decoded[4]
    }

    /// A member of the protected header.
    subscript(_ name: String) -> String? {
        header.first { $0.name.isSame(as: name) }?.value.text
    }

    /// Whether the header has these members and no other.
    func hasExactly(_ names: [String]) -> Bool {
        header.count == names.count && names.allSatisfy { self[$0] != nil }
    }
}
