import CryptoPrimitives
import EnvelopeFormat

/// Answers the cases about names and derived keys.
enum CaseDerivation {
    static func answer(_ json: JSONValue) throws(FormatError) -> [JSONMember] {
        try CaseMembers.check(json, json["jwk"] == nil ? ["sub", "k", "steps"] : ["jwk"], "derive")
        if let jwk = json["jwk"] {
            let thumbprint = DeviceThumbprint(of: try DevicePublicKey.point(jwk))
            return [JSONMember("outcome", .string("derived")), JSONMember("dkid", .string(thumbprint.string))]
        }
        let conversation = try ConversationIdentifier(try CaseFile.text(json, "sub"))
        let first = try ConversationSecret(SymmetricKey(data: try CaseFile.bytes(json, "k")))
        let steps = try CaseFile.integer(json, "steps")
        guard steps <= KeyIdentifier.lastEpoch else { throw FormatError(field: "steps", reason: "past the last epoch") }
        let secret = first.stepped(Int(steps), in: conversation)
        func text(_ key: SymmetricKey) -> JSONValue { .string(Base64URL.encode(key.withUnsafeBytes { Array($0) })) }
        return [
            JSONMember("outcome", .string("derived")),
            JSONMember("c", text(secret.rawKey)),
            JSONMember("gcm_key", text(secret.contentKey(in: conversation))),
            JSONMember("psk", text(secret.presharedKey(in: conversation))),
        ]
    }
}
