package import CryptoPrimitives

/// A device's public key as a JWK (RFC 7517, RFC 7518 section 6.2.1): EC, P-256, alg `HPKE-7`.
package enum DevicePublicKey {
    /// Reads a JWK with exactly `kty`, `crv`, `x`, `y`, `alg` and perhaps `use` and `kid`, of which the last is passed over.
    /// - Throws: ``FormatError``; a private member `d` is refused by name.
    package static func parse(_ json: JSONValue) throws(FormatError) -> P256.KeyAgreement.PublicKey {
        guard let members = json.members else { throw FormatError(field: "jwk", reason: "not an object") }
        guard json["d"] == nil else {
            throw FormatError(field: "jwk.d", reason: "a private key; only the public one leaves a device")
        }
        for (name, word) in [("kty", "EC"), ("crv", "P-256"), ("alg", "HPKE-7")] {
            guard let value = json[name]?.text, value.isSame(as: word) else {
                throw FormatError(field: "jwk.\(name)", reason: "not \(word)")
            }
        }
        if let use = json["use"], use != .string("enc") { throw FormatError(field: "jwk.use", reason: "not enc") }
        if let kid = json["kid"], kid.text == nil { throw FormatError(field: "jwk.kid", reason: "not a string") }
        let known = 5 + (json["use"] == nil ? 0 : 1) + (json["kid"] == nil ? 0 : 1)
        guard members.count == known else {
            throw FormatError(field: "jwk", reason: "an unknown member, or x or y missing")
        }
        return try point(json)
    }

    /// The point of `x` and `y` alone.
    package static func point(_ json: JSONValue) throws(FormatError) -> P256.KeyAgreement.PublicKey {
        var bytes: [UInt8] = [4]
        for name in ["x", "y"] {
            guard let coordinate = json[name]?.text.flatMap({ Base64URL.decode($0) }), coordinate.count == 32 else {
                throw FormatError(field: "jwk.\(name)", reason: "not the base64url of 32 bytes")
            }
            bytes += coordinate
        }
        do {
            return try P256.KeyAgreement.PublicKey(x963Representation: bytes)
        } catch {
            throw FormatError(field: "jwk", reason: "not a point of P-256")
        }
    }

    package static func json(_ key: P256.KeyAgreement.PublicKey) -> JSONValue {
        let point = Array(key.x963Representation)
        return .object([
            JSONMember("kty", .string("EC")),
            JSONMember("crv", .string("P-256")),
            JSONMember("x", .string(Base64URL.encode(point[1..<33]))),
            JSONMember("y", .string(Base64URL.encode(point[33..<65]))),
            JSONMember("alg", .string("HPKE-7")),
            JSONMember("use", .string("enc")),
        ])
    }
}
