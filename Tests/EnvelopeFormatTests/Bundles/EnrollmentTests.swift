import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

/// What a device hands to the backend (bundle spec, section 2).
@Suite struct EnrollmentTests {
    private static let secret = Base64URL.encode([UInt8](repeating: 0xAB, count: 32))
    private static let jwk = String(decoding: DevicePublicKey.json(Sample.device.publicKey).write(), as: UTF8.self)

    private func fault(_ text: String) -> String? {
        do {
            _ = try EnrollmentDocument(parsing: Array(text.utf8))
            return nil
        } catch {
            return error.field
        }
    }

    @Test func thereAndBack() throws {
        let document = try EnrollmentDocument(
            publicKey: Sample.device.publicKey,
            enrollmentSecret: SymmetricKey(data: [UInt8](repeating: 0xAB, count: 32)), name: "Ann's \"phone\" é")
        let text = String(decoding: document.json(), as: UTF8.self)
        #expect(text == #"{"jwk":\#(Self.jwk),"enrollment_secret":"\#(Self.secret)","name":"Ann's \"phone\" é"}"#)
        let read = try EnrollmentDocument(parsing: Array(text.utf8))
        #expect(read.name == document.name)
        #expect(read.enrollmentSecret == document.enrollmentSecret)
        #expect(read.thumbprint == DeviceThumbprint(of: Sample.device.publicKey))
    }

    private static func document(
        jwk: String = jwk, secret: String = "\"\(secret)\"", name: String = "\"n\"", more: String = ""
    ) -> String {
        "{\"jwk\":\(jwk),\"enrollment_secret\":\(secret),\"name\":\(name)\(more)}"
    }

    @Test func flaws() {
        #expect(fault(Self.document()) == nil)
        #expect(fault("[]") == "enrollment document")
        #expect(fault(Self.document() + "x") == "JSON")
        #expect(fault(Self.document(more: ",\"x\":1")) == "enrollment document")
        #expect(fault(Self.document(more: ",\"enrollment_secret\":\"\(Self.secret)\"")) == "JSON")
        for secret in [
            "null", "1", "[]", "\"\"", "\"AAAA\"", "\"\(Self.secret)=\"", "\"\(Self.secret.dropLast())B\"",
            "\"\(Self.secret.dropLast())\u{212A}\"",
        ] {
            #expect(fault(Self.document(secret: secret)) == "enrollment_secret", "\(secret)")
        }
        for name in ["null", "1", "\"\"", "\"\(String(repeating: "x", count: 129))\""] {
            #expect(fault(Self.document(name: name)) == "name", "\(name)")
        }
        #expect(fault("{\"enrollment_secret\":\"\(Self.secret)\",\"name\":\"n\"}") == "jwk")
        #expect(fault("{\"jwk\":\(Self.jwk),\"name\":\"n\"}") == "enrollment_secret")
        #expect(fault("{\"jwk\":\(Self.jwk),\"enrollment_secret\":\"\(Self.secret)\"}") == "name")
    }

    @Test func flawsOfTheKey() throws {
        func changed(_ name: String, _ value: JSONValue?) throws -> String {
            var members = try #require(try JSONValue.parse(Array(Self.jwk.utf8)).members).filter { $0.name != name }
            if let value { members.append(JSONMember(name, value)) }
            return Self.document(jwk: String(decoding: JSONValue.object(members).write(), as: UTF8.self))
        }
        for (name, word) in [
            ("kty", "RSA"), ("kty", "ec"), ("crv", "P-384"), ("crv", "secp256r1"), ("alg", "HPKE-0"),
            ("alg", "ECDH-ES"), ("use", "sig"),
        ] {
            #expect(fault(try changed(name, .string(word))) == "jwk.\(name)")
        }
        for name in ["kty", "crv", "alg"] {
            #expect(fault(try changed(name, nil)) == "jwk.\(name)")
            #expect(fault(try changed(name, .null)) == "jwk.\(name)")
        }
        #expect(fault(try changed("use", nil)) == nil)
        #expect(fault(try changed("kid", .string("any"))) == nil)
        #expect(fault(try changed("kid", .number("1"))) == "jwk.kid")
        #expect(fault(try changed("d", .string(Self.secret))) == "jwk.d")
        #expect(fault(try changed("d", .null)) == "jwk.d")
        #expect(fault(try changed("x5u", .string("https://x"))) == "jwk")
        for name in ["x", "y"] {
            for value in ["", "AAAA", Self.secret + "=", Self.secret + "A"] {
                #expect(fault(try changed(name, .string(value))) == "jwk.\(name)")
            }
            #expect(fault(try changed(name, .string(Self.secret))) == "jwk")
            #expect(fault(try changed(name, nil)) == "jwk")
        }
        #expect(fault(Self.document(jwk: "null")) == "jwk")
    }

    @Test func lengthsOfWhatACallerGives() {
        #expect(throws: FormatError(field: "enrollment_secret", reason: "not of 32 bytes")) {
            try EnrollmentDocument(
                publicKey: Sample.device.publicKey,
                enrollmentSecret: SymmetricKey(data: [UInt8](repeating: 0, count: 16)), name: "n")
        }
        #expect(throws: FormatError(field: "name", reason: "0 bytes where 1 to 128 are allowed")) {
            try EnrollmentDocument(
                publicKey: Sample.device.publicKey, enrollmentSecret: SymmetricKey(size: .bits256), name: "")
        }
    }
}
