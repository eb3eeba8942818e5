import CryptoPrimitives
import EnvelopeFormat

/// A case of ECDH of Wycheproof: on P-256, with a point or the one ASN.1 that is read; anything else has to be what it says.
enum WycheproofAgreement {
    /// SubjectPublicKeyInfo of id-ecPublicKey, secp256r1, and a bit string of 65 bytes (RFC 5480), up to the point.
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
        0x07, 0x03, 0x42, 0x00,
    ]

    static func judge(_ test: JSONValue, _ group: WycheproofGroup, _ isValid: Bool) throws -> VectorOutcome {
        let (curve, encoding) = (group["curve"]?.text ?? "", group["encoding"]?.text ?? "")
        guard let byteCount = WycheproofNames.curves[curve] else { throw NeitherNor.unknown("curve", curve) }
        let isOurs = ["secp256r1", "P-256"].contains(curve)
        if isValid, try test.bytes("shared").count != byteCount {
            throw FormatError(field: "shared", reason: "not of \(byteCount) bytes, as \(curve) has it")
        }
        switch encoding {
        case "ecpoint":
            let point = try test.bytes("public")
            if isOurs { return try agreement(test, point) }
            guard !isValid || [1 + 2 * byteCount, 1 + byteCount].contains(point.count) else {
                throw FormatError(field: "public", reason: "\(point.count) bytes, which no point of \(curve) has")
            }
            return try other(curve, point, isValid)
        case "asn":
            let encoded = try test.bytes("public")
            let point = encoded.starts(with: prefix) ? [UInt8](encoded.dropFirst(prefix.count)) : []
            guard isOurs else { return try other(curve, point, isValid) }
            if point.count == 65 { return try agreement(test, point) }
            // A sequence that ends where the bytes do, if this is a key at all.
            guard !isValid || encoded.count > 1 && encoded[0] == 0x30 && Int(encoded[1]) == encoded.count - 2 || encoded.count > 129
            else { throw FormatError(field: "public", reason: "cut off, or no ASN.1") }
            return .notApplicable("another ASN.1 than a named curve and a point, which is all that is read")
        case "pem":
            guard try !isValid || test.text("public").hasPrefix("-----BEGIN PUBLIC KEY-----") else {
                throw FormatError(field: "encoding", reason: "pem, and public is none")
            }
        case "jwk", "webcrypto":
            guard !isValid || test["public"]?["crv"]?.text == curve else {
                throw FormatError(field: "encoding", reason: "\(encoding), and public is no JWK of \(curve)")
            }
        default: throw NeitherNor.unknown("encoding", encoding)
        }
        return .notApplicable(isOurs ? "keys in an encoding that is not read" : "another curve than P-256")
    }

    private static func agreement(_ test: JSONValue, _ point: [UInt8]) throws -> VectorOutcome {
        VectorJudge.agreement(
            private: try test.bytes("private"), point: point, shared: try test.bytes("shared"), result: try test.text("result"))
    }

    /// On another curve; what must be refused may have a point of P-256, as a wrong one.
    private static func other(_ curve: String, _ point: [UInt8], _ isValid: Bool) throws(FormatError) -> VectorOutcome {
        if isValid, (try? P256.KeyAgreement.PublicKey(x963Representation: point)) != nil { throw NeitherNor.ours("curve", curve) }
        return .notApplicable("another curve than P-256")
    }
}
