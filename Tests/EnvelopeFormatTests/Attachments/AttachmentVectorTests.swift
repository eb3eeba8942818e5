import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import EnvelopeFormat

/// `Tests/Vectors/attachment.json`, made by another implementation.
@Suite struct AttachmentVectorTests {
    private struct Vectors: Decodable {
        struct File: Decodable {
            let id, key, salt, prefix, sha256: String
            let bytes, sealed_bytes: Int
            let sealed: String?
        }

        struct Refusal: Decodable {
            struct Change: Decodable {
                let cut, flip: Int?
                let byte: UInt8?
                let append, sealed: String?
                let blocks: [Int]?
            }

            let id, file, expect: String
            let key, sha256: String?
            let change: Change?
        }

        struct Nonce: Decodable {
            let id, prefix: String
            let nonce, expect: String?
            let index: UInt64
            let last: Bool
        }

        let format: String
        let count: Int
        let files: [File]
        let refusals: [Refusal]
        let nonces: [Nonce]
    }

    private let vectors: Vectors

    init() throws {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/attachment.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        try #require(vectors.format == "waxwing-attachments/1")
        try #require(vectors.count == vectors.files.count + vectors.refusals.count + vectors.nonces.count)
        try #require(!vectors.files.isEmpty && !vectors.refusals.isEmpty)
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    private func sealed(_ file: Vectors.File) throws -> [UInt8] {
        let sealer = try AttachmentSealer(
            key: SymmetricKey(data: bytes(file.key)), salt: bytes(file.salt), prefix: bytes(file.prefix))
        return try SealedFile.seal(SealedFile.plain(file.bytes), by: sealer)
    }

    @Test func everyFileIsSealedSo() throws {
        for file in vectors.files {
            let sealed = try sealed(file)
            #expect(sealed.count == file.sealed_bytes, "\(file.id)")
            #expect(Array(SHA256.hash(data: sealed)) == (try bytes(file.sha256)), "\(file.id)")
            if let whole = file.sealed { #expect(sealed == (try bytes(whole)), "\(file.id)") }
            let opened = try SealedFile.open(sealed, with: SymmetricKey(data: bytes(file.key)))
            let isSame = opened.released == SealedFile.plain(file.bytes)
            #expect(opened.error == nil && isSame, "\(file.id)")
        }
    }

    @Test func everyChangeIsRefusedSo() throws {
        // What the claim says of the whole file is looked at by who fetches it: `AttachmentClaimVectorTests` of OpenerNSE.
        for refusal in vectors.refusals where refusal.sha256 == nil {
            let file = try #require(vectors.files.first { $0.id == refusal.file })
            var sealed = try sealed(file)
            if let change = refusal.change { try apply(change, to: &sealed) }
            let opened = try SealedFile.open(sealed, with: SymmetricKey(data: bytes(refusal.key ?? file.key)))
            let expected: AttachmentError? = ["malformed": .malformed, "not-authentic": .notAuthentic][refusal.expect]
            #expect(expected != nil && opened.error == expected, "\(refusal.id)")
            #expect(opened.released.count < file.bytes || file.bytes == 0, "\(refusal.id)")
        }
    }

    @Test func everyNonceIsMadeSo() throws {
        for nonce in vectors.nonces {
            let header = try AttachmentHeader(salt: [UInt8](repeating: 0, count: 32), prefix: bytes(nonce.prefix))
            if let expected = nonce.nonce {
                #expect(try header.nonce(nonce.index, isLast: nonce.last) == bytes(expected), "\(nonce.id)")
            } else {
                #expect(nonce.expect == "too-long")
                #expect(throws: AttachmentError.tooLong) { try header.nonce(nonce.index, isLast: nonce.last) }
            }
        }
    }

    private func apply(_ change: Vectors.Refusal.Change, to sealed: inout [UInt8]) throws {
        if let whole = change.sealed { sealed = try bytes(whole) }
        if let position = change.cut { sealed.removeSubrange(position...) }
        if let text = change.append { sealed += try bytes(text) }
        if let position = change.flip { sealed[position] ^= 1 }
        if let byte = change.byte { sealed[0] = byte }
        if let order = change.blocks {
            let whole = sealed
            sealed = order.flatMap { whole[$0 * 65_536..<min(($0 + 1) * 65_536, whole.count)] }
        }
    }
}
