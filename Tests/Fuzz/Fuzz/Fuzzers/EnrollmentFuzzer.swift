import CryptoPrimitives
@testable import EnvelopeFormat

/// What a device gives the backend.
struct EnrollmentFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .bound]
    private static let bound = Bound(factor: 64, constant: 8_192)

    init(_ rings: Rings) throws {
        // What OpenSSL makes once.
        let keychain = try rings.bundles().keychain
        _ = try EnrollmentDocument(
            parsing: EnrollmentDocument(publicKey: keychain.key.publicKey, enrollmentSecret: keychain.secret, name: "a phone").json())
    }

    func run(_ input: [UInt8]) throws -> Bool {
        let document = Self.bound.measured(input.count) { try? EnrollmentDocument(parsing: input) }
        let padded = try? EnrollmentDocument(parsing: [0x0D] + input + [0x20, 0x0A])
        require(.refusal, Self.isSame(document, padded) && !isPlanted(.refusal), "white space around it makes a difference")
        guard let document else { return false }
        let written = document.json()
        let again = try? EnrollmentDocument(parsing: altered(.identity, written))
        require(.identity, Self.isSame(again, document) && again?.json() == written, "a document that is written is read otherwise")
        try checkForbidden(try JSONValue.parse(input))
        return true
    }

    private static func isSame(_ one: EnrollmentDocument?, _ other: EnrollmentDocument?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.thumbprint == other.thumbprint && one.enrollmentSecret == other.enrollmentSecret && one.name.isSame(as: other.name)
    }

    /// What must be refused, made of what was accepted.
    private func checkForbidden(_ json: JSONValue) throws {
        guard let members = json.members, let key = json["jwk"]?.members else { violation("identity: a document that is no object") }
        func refuse(_ members: [JSONMember], _ what: StaticString) {
            require(.refusal, (try? EnrollmentDocument(parsing: JSONValue.object(members).write())) == nil, what)
        }
        func refuse(key: [JSONMember], _ what: StaticString) {
            refuse(members.map { $0.name.isSame(as: "jwk") ? JSONMember("jwk", .object(key)) : $0 }, what)
        }
        refuse(members + [JSONMember("more", .null)], "another member is taken")
        for index in members.indices { refuse(Array(members[..<index] + members[(index + 1)...]), "a member may be missing") }
        refuse(key: key + [JSONMember("d", .null)], "a private member is taken")
        refuse(key: key + [JSONMember("more", .null)], "another member of the key is taken")
        for (index, member) in key.enumerated() where !["use", "kid"].contains(member.name) {
            refuse(key: Array(key[..<index] + key[(index + 1)...]), "a member of the key may be missing")
            guard member.name.isSame(as: "y"), var bytes = member.value.text.flatMap({ Base64URL.decode($0) }) else { continue }
            bytes[31] ^= 1
            refuse(
                key: key.map { $0.name.isSame(as: "y") ? JSONMember("y", .string(Base64URL.encode(bytes))) : $0 },
                "a point off the curve is taken")
        }
    }
}
