import EnvelopeFormat

/// The algorithms of draft-ietf-jose-hpke-encrypt: what an example says three times must be the same, and its key of that curve.
enum JOSEAlgorithm {
    private static let curves: [(crv: String, byteCount: Int)] = [
        ("P-256", 32), ("P-384", 48), ("P-521", 66), ("X25519", 32), ("X25519", 32), ("X448", 56), ("X448", 56), ("P-256", 32),
    ]

    static func check(_ example: JSONValue, _ alg: String) throws(FormatError) {
        guard let match = alg.wholeMatch(of: /HPKE-([0-7])(-KE)?/), let number = Int(match.output.1) else {
            throw NeitherNor.unknown("alg", alg)
        }
        let (jwk, curve) = (example["jwk"] ?? .null, curves[number])
        guard try jwk.text("crv") == curve.crv, try jwk.base64URL("x").count == curve.byteCount else {
            throw FormatError(field: "alg", reason: "\(alg), and the key is not of \(curve.crv)")
        }
        let compact = String(try example.text("compact").prefix { $0 != "." })
        let headers = [("compact", compact), ("flattened", try (example["flattened"] ?? .null).text("protected"))]
        var others = [("jwk", try jwk.text("alg"))]
        for (place, header) in headers {
            guard let bytes = Base64URL.decode(header), let json = try? JSONValue.parse(bytes) else {
                throw FormatError(field: place, reason: "its header is not base64url of JSON")
            }
            others.append((place, try json.text("alg")))
        }
        for (place, other) in others where other != alg {
            throw FormatError(field: "alg", reason: "\(alg), and \(other) in \(place)")
        }
    }
}
