import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials

/// The least that sealing to one device can cost: an HPKE context in PSK mode, one seal, base64url of both parts into a
/// fresh array.
struct BareHPKE {
    let recipient = P256.KeyAgreement.PrivateKey().publicKey
    let presharedKey = SymmetricKey(size: .bits256)
    let name = Data("AAAAAAAAAAAAAAAA.0".utf8)
    let plaintext: [UInt8]
    let header: [UInt8]

    init(plaintextByteCount: Int, header: [UInt8]) {
        plaintext = [UInt8](repeating: 0x41, count: plaintextByteCount)
        self.header = header
    }

    func seal() throws {
        var sender = try HPKE.Sender(
            recipientKey: recipient, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(), presharedKey: presharedKey,
            presharedKeyIdentifier: name)
        let sealed = try sender.seal(plaintext, authenticating: header)
        let count = Base64URL.encodedCount(sealed.count) + Base64URL.encodedCount(65)
        let text = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            if let start = output.baseAddress {
                sender.encapsulatedKey.withUnsafeBytes { Base64URL.encode($0, into: start) }
                sealed.withUnsafeBytes { Base64URL.encode($0, into: start + Base64URL.encodedCount(65)) }
            }
            filled = count
        }
        guard text.count == count else { fatal("base64url") }
    }
}
