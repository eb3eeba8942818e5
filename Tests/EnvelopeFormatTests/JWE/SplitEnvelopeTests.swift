import CryptoPrimitives
import EnvelopeFormat
import Testing

/// The form of the split profile's object (envelope spec, section 10).
@Suite struct SplitEnvelopeTests {
    private static let ciphertext = #""ciphertext":"AAAA""#
    private static let nonce = #""nonce":"AAAAAAAAAAAAAAAA""#
    private static let tag = #""tag":"AAAAAAAAAAAAAAAAAAAAAA==""#

    private func outcome(_ text: String) throws -> Outcome? {
        let members = try #require(try JSONValue.parse(Array("{\(text)}".utf8)).members)
        do {
            _ = try SplitEnvelope(members)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "\(ciphertext),\(nonce),\(tag)", "\(tag),\(nonce),\(ciphertext)", "\"ciphertext\":\"\",\(nonce),\(tag)",
        "\"ciphertext\":\"AA==\",\(nonce),\(tag)", "\"ciphertext\":\"\\u0041A==\",\(nonce),\(tag)",
        "\"ciphertext\":\"+\\/A=\",\(nonce),\(tag)",
    ]) func good(_ text: String) throws {
        #expect(try outcome(text) == nil)
    }

    @Test(arguments: [
        "", "\(ciphertext)", "\(ciphertext),\(nonce)", "\(nonce),\(tag)", "\(ciphertext),\(tag)",
        "\(ciphertext),\(nonce),\(tag),\"kid\":\"x\"",
        "\(ciphertext),\(nonce),\(tag),\"\":\"\"", "\"Ciphertext\":\"AAAA\",\(nonce),\(tag)",
        "\"ciphertext\":null,\(nonce),\(tag)",
        "\"ciphertext\":[],\(nonce),\(tag)", "\"ciphertext\":1,\(nonce),\(tag)", "\"ciphertext\":\"A\",\(nonce),\(tag)",
        "\"ciphertext\":\"AA\",\(nonce),\(tag)", "\"ciphertext\":\"AAA\",\(nonce),\(tag)",
        "\"ciphertext\":\"AB==\",\(nonce),\(tag)",
        "\"ciphertext\":\"AAB=\",\(nonce),\(tag)", "\"ciphertext\":\"-_A=\",\(nonce),\(tag)",
        "\"ciphertext\":\"AAAA\\n\",\(nonce),\(tag)",
        "\"ciphertext\":\"AA AA\",\(nonce),\(tag)", "\"ciphertext\":\"AAAA====\",\(nonce),\(tag)",
        "\(ciphertext),\"nonce\":\"\",\(tag)", "\(ciphertext),\"nonce\":\"AAAAAAAAAAAAAAA=\",\(tag)",
        "\(ciphertext),\"nonce\":\"AAAAAAAAAAAAAAAAAA==\",\(tag)", "\(ciphertext),\"nonce\":true,\(tag)",
        "\(ciphertext),\(nonce),\"tag\":\"AAAAAAAAAAAAAAAA\"",
        "\(ciphertext),\(nonce),\"tag\":\"AAAAAAAAAAAAAAAAAAAAAAA=\"",
        "\(ciphertext),\(nonce),\"tag\":\"AAAAAAAAAAAAAAAAAAAAAB==\"", "\(ciphertext),\(nonce),\"tag\":\"\"",
        "\(ciphertext),\(nonce),\"tag\":{}",
    ]) func malformed(_ text: String) throws {
        #expect(try outcome(text) == .malformed)
    }

    @Test(arguments: ["", "x", "\"\\\n😀", "ab", "abc", "abcd"]) func thereAndBack(_ text: String) throws {
        let key = SymmetricKey(data: [UInt8](repeating: 9, count: 32))
        let payload = try Sample.frame(isObject: true).sealed(
            text, key: key, nonce: try AES.GCM.Nonce(data: Sample.nonce))
        guard case .object(let members) = try SealedMember(payload: payload.bytes, limit: 4_096) else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == ["ciphertext", "nonce", "tag"])
        let envelope = try SplitEnvelope(members)
        #expect(try envelope.open(with: key) == Array(text.utf8))
        #expect(throws: Outcome.notAuthentic) {
            try envelope.open(with: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
        }
        #expect(throws: Outcome.notAuthentic) {
            try envelope.open(with: SymmetricKey(data: [UInt8](repeating: 9, count: 16)))
        }
    }

    @Test func everyBit() throws {
        let key = SymmetricKey(data: [UInt8](repeating: 9, count: 32))
        let payload = try Sample.frame(isObject: true).sealed(
            "text", key: key, nonce: try AES.GCM.Nonce(data: Sample.nonce))
        guard case .object(let members) = try SealedMember(payload: payload.bytes, limit: 4_096) else { return }
        for (index, member) in members.enumerated() {
            let bytes = try #require(member.value.text.flatMap { Base64.decode($0) })
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                var other = members
                other[index] = JSONMember(member.name, .string(Base64.encode(changed)))
                let envelope = try SplitEnvelope(other)
                #expect(throws: Outcome.notAuthentic) { try envelope.open(with: key) }
            }
        }
    }
}
