import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

/// `Tests/Vectors/enrollment.json`, made by another implementation (bundle spec, section 8).
@Suite struct EnrollmentVectorTests {
    private struct Vectors: Decodable {
        struct Document: Decodable {
            struct Expectation: Decodable, Equatable {
                let outcome: String
                var dkid: String?
            }

            let id, about, document_b64: String
            let before: [String]?
            let expect: Expectation
        }

        let format: String
        let count: Int
        let documents: [Document]
    }

    private static func vectors() throws -> [Vectors.Document] {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/enrollment.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        try #require(vectors.format == "waxwing-enrollments/1")
        try #require(vectors.count == vectors.documents.count)
        return vectors.documents
    }

    /// What a store answers, to which the documents before were given first.
    private func offer(_ base64: String, to sealer: SealerStore, _ now: Int64) throws -> Vectors.Document.Expectation {
        let bytes = try #require(Base64.decode(base64))
        guard let document = try? EnrollmentDocument(parsing: bytes) else { return .init(outcome: "bad-input") }
        var answer = Vectors.Document.Expectation(outcome: "conflict")
        let error = failure {
            let (device, isNew) = try sealer.enroll(document, now: now)
            answer = .init(outcome: isNew ? "enrolled" : "known", dkid: device.thumbprint.string)
        }
        #expect(error == nil || error?.kind == .conflict)
        return answer
    }

    /// A store is only made where one is needed: the document can be read, or others came before.
    @Test func everyDocumentIsTakenOrRefusedSo() throws {
        let documents = try Self.vectors()
        for document in documents {
            let isReadable = (try? EnrollmentDocument(parsing: try #require(Base64.decode(document.document_b64)))) != nil
            guard isReadable || document.before != nil else {
                #expect(document.expect == .init(outcome: "bad-input"), "\(document.id): \(document.about)")
                continue
            }
            let scene = try Scene(.sealer)
            let sealer = try SealerStore(scene.store)
            for before in document.before ?? [] { _ = try offer(before, to: sealer, scene.now) }
            let answer = try offer(document.document_b64, to: sealer, scene.now)
            #expect(answer == document.expect, "\(document.id): \(document.about)")
        }
        #expect(Set(documents.map(\.expect.outcome)) == ["enrolled", "known", "bad-input", "conflict"])
    }
}
