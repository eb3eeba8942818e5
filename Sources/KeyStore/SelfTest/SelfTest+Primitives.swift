import CryptoPrimitives

extension SelfTest {
    private static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256

    static let primitives = [
        Check("AES-256-GCM seal", from: "NIST CAVP, gcmEncryptExtIV256.rsp, PTlen 128, AADlen 128, Taglen 128, count 0") {
            let key = SymmetricKey(data: bytes("92e11dcdaa866f5ce790fd24501f92509aacf4cb8b1339d50c9c1240935dd08b"))
            let nonce = bytes("ac93a1a6145299bde902f21a")
            let (message, beside) = (bytes("2d71bcfa914e4ac045b2aa60955fad24"), bytes("1e0889016f67601c8ebea4943bc23ad6"))
            let sealed = bytes("8995ae2e6df3dbf96fac7b7137bae67feca5aa77d51d4a0a14d9c51e1da474ab")
            let box = try AES.GCM.seal(message, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: beside)
            // With the kept context of the hot path, twice, as it is used again.
            let kept = try AESGCMSealingKey(key)
            for _ in 0..<2 { guard try seal(message, nonce, beside, with: kept) == sealed else { return false } }
            return box.ciphertext + box.tag == Data(sealed)
        },
        Check("AES-256-GCM open", from: "NIST CAVP, gcmDecrypt256.rsp, PTlen 128, AADlen 128, Taglen 128, count 0") {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: bytes("df7c3bca00396d0c018495d9")), ciphertext: bytes("426e0efc693b7be1f3018db7ddbb7e4d"),
                tag: bytes("ee8257795be6a1164d7e1d2d6cac77a7"))
            let key = SymmetricKey(data: bytes("54e352ea1d84bfe64a1011096111fbe7668ad2203d902a01458c3bbd85bfce14"))
            let opened = try AES.GCM.open(box, using: key, authenticating: bytes("7e968d71b50c1f11fd001f3fef49d045"))
            return opened == Data(bytes("85fc3dfad9b5a8d3258e4fc44571bd3b"))
        },
        Check("AES-256-GCM refusal", from: "NIST CAVP, gcmDecrypt256.rsp, PTlen 128, AADlen 128, Taglen 128, count 2, FAIL") {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: bytes("3deef6f453dd70d92143adcd")), ciphertext: bytes("e93165935ac18e3a2845d15fe31a9286"),
                tag: bytes("f5fc50d18766bc3d9e16dd136d45816b"))
            let key = SymmetricKey(data: bytes("9a0343f850a6427120f764789ffec6d237447b898fbf51d2182f065d3861497d"))
            return isNotAuthentic { try AES.GCM.open(box, using: key, authenticating: bytes("dbb8226a624520863db6897017b2a4f8")) }
        },
        Check("SHA-256", from: "FIPS 180-4, the example abc") {
            let digest = SHA256.hash(data: Array("abc".utf8))
            return Array(digest) == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        },
        Check("HMAC-SHA-256", from: "RFC 4231, test case 2") {
            let key = SymmetricKey(data: Array("Jefe".utf8))
            let code = HMAC<SHA256>.authenticationCode(for: Array("what do ya want for nothing?".utf8), using: key)
            return Array(code) == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        },
        Check("HKDF-SHA-256", from: "RFC 5869, A.1") {
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: [UInt8](repeating: 0x0B, count: 22)), salt: bytes("000102030405060708090a0b0c"),
                info: bytes("f0f1f2f3f4f5f6f7f8f9"), outputByteCount: 42)
            let expected = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            return bytes(of: derived) == bytes(expected)
        },
        Check("P-256 agreement", from: "Wycheproof, ecdh_secp256r1_ecpoint_test.json, case 1") {
            let mine = try P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("0612465c89a023ab17855b0a6bcebfd3febb53aef84138647b5352e02c10c346"))
            let peer = try P256.KeyAgreement.PublicKey(
                x963Representation: bytes(
                    """
                    0462d5bd3372af75fe85a040715d0f502428e07046868b0bfdfa61d731afe44f26ac333a93a9e70a81cd5a95b5bf8d13990eb741c8c388\
                    72b4a07d275a014e30cf
                    """))
            let expected = bytes("53020d908b0219328b658b525f26780e3ae12bcd952bb25a93bc0895e1714285")
            return try mine.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes { Array($0) == expected }
        },
        Check("P-256 refusal of a point off the curve", from: "Wycheproof, ecdh_secp256r1_ecpoint_test.json, case 336") {
            let point = [4] + [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0, count: 32)
            do { _ = try P256.KeyAgreement.PublicKey(x963Representation: point) } catch CryptoKitError.invalidParameter { return true }
            return false
        },
        Check("HPKE in mode PSK, seal", from: "RFC 9180, test-vectors.json, mode 1, KEM 0x0010, KDF 1, AEAD 2, sequence number 0") {
            let recipient = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(hpke.recipient)).publicKey
            var sender = try HPKE.Sender(
                recipientKey: recipient, ciphersuite: suite, info: Data(bytes(hpke.info)),
                presharedKey: SymmetricKey(data: bytes(hpke.psk)),
                presharedKeyIdentifier: Data(bytes(hpke.identifier)),
                ephemeralKey: P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(hpke.ephemeral)))
            let sealed = try sender.seal(bytes(hpke.message), authenticating: bytes(hpke.beside))
            return sender.encapsulatedKey == Data(bytes(hpke.encapsulated)) && sealed == Data(bytes(hpke.sealed))
        },
        Check("HPKE in mode PSK, open and refusal", from: "the same; refused is the first byte changed") {
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(hpke.recipient))
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(bytes(hpke.info)), encapsulatedKey: Data(bytes(hpke.encapsulated)),
                presharedKey: SymmetricKey(data: bytes(hpke.psk)), presharedKeyIdentifier: Data(bytes(hpke.identifier)))
            var changed = bytes(hpke.sealed)
            changed[0] ^= 1
            guard isNotAuthentic({ try recipient.open(changed, authenticating: bytes(hpke.beside)) }) else { return false }
            return try recipient.open(bytes(hpke.sealed), authenticating: bytes(hpke.beside)) == Data(bytes(hpke.message))
        },
    ]

    private static let hpke = (
        info: "4f6465206f6e2061204772656369616e2055726e", recipient: "dd70766222d5a88e72c247bd8ad9c28ea49125ee463a63902cc6db68c34f76a6",
        ephemeral: "5171dce7db66a978110f345b97bfbdd836338c368d1b819bc125daffd90703db",
        psk: "0247fd33b913760fa1fa51e1892d9f307fbe65eb171e8132c2af18555a738b82",
        identifier: "456e6e796e20447572696e206172616e204d6f726961",
        encapsulated: """
        04a3cd1fd41bb0915973a14325a6c7612b336630e6c2fd3f3ae5a311bfe950d493155f446f3fc4a45d439073e998624fca9490ac7eca4c312271d8\
        720f8e6d7a74
        """,
        beside: "436f756e742d30", message: "4265617574792069732074727574682c20747275746820626561757479",
        sealed: "1552f6db424acdef53728dbfab35b85266681af9f9c42fa60e30cc858da8eb1fe05437fea881290cdeaad317d0"
    )

    private static func isNotAuthentic(_ open: () throws -> Data) -> Bool {
        do { _ = try open() } catch CryptoKitError.authenticationFailure { return true } catch {}
        return false
    }

    private static func seal(
        _ message: [UInt8], _ nonce: [UInt8], _ beside: [UInt8], with key: AESGCMSealingKey
    ) throws(CryptoKitError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: message.count + 16)
        try message.withUnsafeBytes { message in
            output.withUnsafeMutableBytes { output in seal(message, nonce, beside, with: key, into: output) }
        }.get()
        return output
    }

    static func sealInPlace(
        _ message: [UInt8], _ nonce: [UInt8], _ beside: [UInt8], with key: AESGCMSealingKey
    ) throws(CryptoKitError) -> [UInt8] {
        var sealed = message + [UInt8](repeating: 0, count: 16)
        try sealed.withUnsafeMutableBytes { sealed in
            seal(UnsafeRawBufferPointer(rebasing: sealed[..<message.count]), nonce, beside, with: key, into: sealed)
        }.get()
        return sealed
    }

    private static func seal(
        _ message: UnsafeRawBufferPointer, _ nonce: [UInt8], _ beside: [UInt8], with key: AESGCMSealingKey,
        into output: UnsafeMutableRawBufferPointer
    ) -> Result<Void, CryptoKitError> {
        nonce.withUnsafeBytes { nonce in
            beside.withUnsafeBytes { beside in
                Result { () throws(CryptoKitError) in
                    try key.seal(message, nonce: nonce, authenticating: beside, into: output)
                }
            }
        }
    }
}
