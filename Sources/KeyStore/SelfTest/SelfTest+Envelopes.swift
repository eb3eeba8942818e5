import CryptoPrimitives
import EnvelopeFormat

extension SelfTest {
    private static let document = "the worked example of docs/spec/envelope.md, by the second implementation"

    static let envelopes = [
        Check("envelope dir, seal and open", from: document) {
            let conversation = try ConversationIdentifier("kitchen-42")
            let first = try ConversationSecret(
                SymmetricKey(data: bytes("fb9120bc74168ece7914c2acf17258d3f1858f1dab760125e391d1f461e7ef81")))
            let key = first.next(in: conversation).contentKey(in: conversation)
            let expected = bytes("dc7a1238cb81019e26971dbb7449154949b585c584d8256d5c9b6eefe5c06448")
            guard bytes(of: key) == expected, let kid = KeyIdentifier("ksnmMM_9DYvB_sep.1") else { return false }
            let header = DirectEnvelope.encodedHeader(kid)
            var sealed = plaintext + [UInt8](repeating: 0, count: DirectEnvelope.tagByteCount)
            let count = DirectEnvelope.serializedCount(plaintextByteCount: plaintext.count, encodedHeader: header)
            var compact = [UInt8](repeating: 0, count: count)
            let sealingKey = try AESGCMSealingKey(key)
            try bytes("ce4e8f6b8fa3d24f9c99f211").withUnsafeBytes { nonce in
                try sealed.withUnsafeMutableBytes { sealed in
                    try compact.withUnsafeMutableBufferPointer { output in
                        guard let start = output.baseAddress else { return }
                        try DirectEnvelope.seal(inPlace: sealed, encodedHeader: header, key: sealingKey, nonce: nonce, into: start)
                    }
                }
            }
            guard compact == Array(dir.utf8), case .dir(let envelope) = try SealedPayload(message: compact) else { return false }
            return try envelope.open(with: key) == plaintext
        },
        Check("envelope HPKE-7, seal and open", from: document) {
            let conversation = try ConversationIdentifier("kitchen-42")
            let secret = try ConversationSecret(
                SymmetricKey(data: bytes("f3c66460ff7068e123d551efab6dcdb4fd602704b9c736a5d4df826fa077566b")))
            let presharedKey = secret.presharedKey(in: conversation)
            let expected = bytes("5120996a3608574cae362789af9792693b430d7781f6b38adcdba39ae0dbbaa4")
            let device = try P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("a94b58cfef5dfc1ab6949127d5531109534f776ae44021d7d39df4a75c8486dd"))
            guard bytes(of: presharedKey) == expected, let kid = KeyIdentifier("QxHkai-NlRdVmj_t.0") else { return false }
            let name = PresharedKeyIdentifier.conversation(kid)
            var sender = try HPKE.Sender(
                recipientKey: device.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(), presharedKey: presharedKey,
                presharedKeyIdentifier: Data(name.bytes),
                ephemeralKey: P256.KeyAgreement.PrivateKey(
                    rawRepresentation: bytes("fdc2095825c691e1f3a275d6c934db0224428dcfdfe61db51c580324ca39e2eb")))
            let header = HPKEEnvelope.encodedHeader(to: DeviceThumbprint(of: device.publicKey), presharedKey: name)
            var compact = ByteWriter(capacity: 1024)
            try plaintext.withUnsafeBytes { try HPKEEnvelope.append($0, encodedHeader: header, sender: &sender, to: &compact) }
            let text = compact.bytes
            guard text == Array(hpke7.utf8), case .hpke7(let envelope) = try SealedPayload(message: text) else { return false }
            return try envelope.open(with: device, presharedKey: presharedKey) == plaintext
        },
    ]

    private static let plaintext: [UInt8] = {
        let claims = #"""
            {"jti":"Z_UkIS0X9MKlIE2pP7T5_w","iat":1900000000,"exp":1900086400,"sub":"kitchen-42","title":"Yuki",\#
            "body":"夕食は七時。\"Curry\"? 🍛"}
            """#
        return Array(claims.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 256 - claims.utf8.count)
    }()

    private static let dir = """
        eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoia3NubU1NXzlEWXZCX3NlcC4xIiwidHlwIjoid2F4MSJ9..zk6Pa4-j0k-cmfIR.KHj1efY\
        PTGyzjS5UWBi6eJ8q6G6WDeYxQmIXWGUxBe4ReLkXGdT5T9_pRd8AFpzYhRE-fJsPygicE5LP_OH9bdqIKKtcsdAYxwRXr5-BHSUfMvX7xOJqBUWzMeDOp\
        xJ5UMxHIGPcXF6PGs6VY-7YaoF0u-mMu8qtT4nVws37sRLImQrFBVomIDCAcdUa4-eIclyC1whErVx6R_Z3dUwLniIIRUbBJvBRHkF4Va48NkFtON1eGid\
        wQ7Xa0GGoEXyX2BpdRTrRGiMpSCdnolpXo_axCS683J9PxwVgEmTnUW6iF6FaDYrLWYjnC7CJ6HwPTGPjUgH6vOn5IBRU9V45nA.lifOFbyOzPGkAYNWep\
        gQ8w
        """

    private static let hpke7 = """
        eyJhbGciOiJIUEtFLTciLCJraWQiOiJuMWdGUnVyY2xjRlp6US1jRFl5RkRrc0tlRmNDUll4eGdBQkJtdlBvanBjIiwicHNrX2lkIjoiVVhoSWEyRnBMVT\
        VzVW1SV2JXcGZkQzR3IiwidHlwIjoid2F4MSJ9.BEImM4V-jZaFSZMKVHmqFD5zhIcBdConIzYcQmVQCIQFjpEOhCTu4HIq_rcT8iIN9UKrtxVJTW-SWxQ\
        W411O_vQ..YEFdY8MPhCJMDQR94HFqx2nDCrcurkfNU3zcvPXYjrt6avYulhQOo--I1U6N4igfI3nel3WBP5tOk0PJYBvN2ooQF7T_X4xUvWUc317v3FBN\
        Q5OGZFtE4zriKxE4gkJjSHhYUXL8brLu1NtyeoLVjeWVOBq2nFLNqJ1ilp2ivhopIaHGpcRH832oUohb_7T-VYXU8Yy6WTR0OeU7XUotcim-GpHtzws0tx\
        W4drtGJwoOVPuKFpEm7HZ_zr_55RyvDmyBDChRqRlj9fcB0oYcG2h3iK2XYwR6FADhZoXUT9F5OjfRuuTILY2XZqSMsKCKMJRU9wNYaV6-f9d_KWHsxQqB\
        oabq6PdscvmtZ9Ccu14.
        """
}
