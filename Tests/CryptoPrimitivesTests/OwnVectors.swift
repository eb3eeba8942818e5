import Foundation
import TestSupport
import VectorFiles

/// `Vectors/own.json`; how it is made stands in `Vectors/README.md`. Bytes are hexadecimal digits.
struct OwnVectors: Decodable {
    let aes256gcm: [Sealed]
    let hmac: [Code]
    let hkdf: [Derivation]
    let ecdh: [Agreement]
    let points: [Point]
    let scalars: [Scalar]

    struct Sealed: Decodable {
        let key, nonce, aad, msg, ct, tag: String
    }

    struct Code: Decodable {
        let key, msg, tag, sha256: String
    }

    struct Derivation: Decodable {
        let ikm, salt, info, prk, okm: String
    }

    struct Agreement: Decodable {
        let `private`, `public`, peer, shared: String
    }

    /// What an encoding is refused with.
    enum Refusal: String, Decodable {
        case none, length, value
    }

    struct Point: Decodable {
        let name, point: String
        let refusal: Refusal
    }

    struct Scalar: Decodable {
        let name, scalar, point: String
        let refusal: Refusal
    }

    static func file(_ name: String) -> URL {
        ProjectFolder.root.appendingPathComponent("Tests/CryptoPrimitivesTests/Vectors/\(name)")
    }

    static func read() throws -> OwnVectors {
        try JSONDecoder().decode(OwnVectors.self, from: Data(contentsOf: file("own.json")))
    }
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) throws -> [UInt8] { try Hexadecimal.bytes(text, "digits") }
