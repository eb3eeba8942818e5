import CryptoPrimitives
import EnvelopeFormat

/// The examples of draft-ietf-jose-hpke-encrypt: one of them is of `HPKE-7`, without the pre-shared key that our profile wants.
/// It is opened as the draft says, and refused as the profile says.
enum JOSEVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool {
        file.firstElement.map { first in ["jwk", "compact"].allSatisfy { file.json.member($0, of: first) != nil } } ?? false
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "JOSE HPKE"
        for (index, range) in (file.json.elements(try file.whole()) ?? []).enumerated() {
            tally.count("example \(index)") {
                let example = try file.json.value(range, maximumDepth: 8)
                let alg = try example.text("alg")
                try JOSEAlgorithm.check(example, alg)
                guard alg == "HPKE-7" else { return .notApplicable("another alg than HPKE-7") }
                return try judge(example)
            }
        }
    }

    private static func judge(_ example: JSONValue) throws -> VectorOutcome {
        let (jwk, flattened) = (example["jwk"] ?? .null, example["flattened"] ?? .null)
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: jwk.base64URL("d"))
        guard DeviceThumbprint(of: try DevicePublicKey.point(jwk)).string == (try jwk.text("kid")) else {
            return .failed("another thumbprint")
        }
        func open(_ ciphertext: [UInt8], _ encapsulated: [UInt8], authenticating: String) throws -> Data {
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), encapsulatedKey: Data(encapsulated))
            return try recipient.open(ciphertext, authenticating: Array(authenticating.utf8))
        }
        let compact = try example.text("compact")
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let encapsulated = Base64URL.decode(parts[1]), var ciphertext = Base64URL.decode(parts[3]) else {
            throw FormatError(field: "compact", reason: "not five parts of base64url")
        }
        let text = try open(ciphertext, encapsulated, authenticating: parts[0])
        let beside = "\(try flattened.text("protected")).\(try flattened.text("aad"))"
        let other = try open(flattened.base64URL("ciphertext"), flattened.base64URL("encrypted_key"), authenticating: beside)
        guard text == other else { return .failed("the two serializations are of different texts") }
        guard !ciphertext.isEmpty else { throw FormatError(field: "compact", reason: "no ciphertext") }
        ciphertext[0] ^= 1
        guard (try? open(ciphertext, encapsulated, authenticating: parts[0])) == nil else {
            return .failed("a changed ciphertext was opened")
        }
        do throws(Outcome) { _ = try SealedPayload(message: Array(compact.utf8)) } catch {
            return error == .unsupported ? .passed : .failed("\(error)")
        }
        return .failed("taken for an envelope of our profile")
    }
}
