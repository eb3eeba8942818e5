import CryptoPrimitives
import Testing

@testable import KeyStore

@Suite struct SodiumSigningTests {
    /// RFC 8032, section 7.1, test 1.
    @Test func ed25519IsThatOfTheStandard() throws {
        let seed = try #require(
            KeyStore.Hexadecimal.decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        let key = try SigningKey(seed: SymmetricKey(data: seed))
        #expect(
            KeyStore.Hexadecimal.encode(key.publicKey) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        let signature = try key.signature(of: [])
        #expect(
            KeyStore.Hexadecimal.encode(signature)
                == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b")
        #expect(try SigningKey.verify(signature, of: [], by: key.publicKey))
        #expect(try !SigningKey.verify(signature, of: [0], by: key.publicKey))
        #expect(try !SigningKey.verify(Array(signature.dropLast()), of: [], by: key.publicKey))
        #expect(throws: SodiumError.wrongLength(of: "seed", byteCount: 16)) {
            _ = try SigningKey(seed: SymmetricKey(size: .bits128))
        }
    }

    /// RFC 7693, appendix A has BLAKE2b-512; this is `b2sum -l 256` of "abc".
    @Test func blake2bIsThatOfTheStandard() throws {
        #expect(
            KeyStore.Hexadecimal.encode(try UnkeyedDigest.digest(of: Array("abc".utf8)))
                == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }

    @Test func anEvolvingKeyIsTheMACOfTheLabelUnderTheOneBefore() throws {
        let first = SymmetricKey(size: .bits256)
        let key = try EvolvingKey(first)
        let second = try key.mac(of: [1, 2, 3])
        try key.advance([1, 2, 3])
        #expect(key.current == SymmetricKey(data: second) && key.current != first)
        #expect(throws: SodiumError.wrongLength(of: "evolving key", byteCount: 16)) {
            _ = try EvolvingKey(SymmetricKey(size: .bits128))
        }
    }
}
