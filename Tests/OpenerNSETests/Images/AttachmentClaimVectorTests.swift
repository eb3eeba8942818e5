import CryptoPrimitives
import EnvelopeFormat
import Foundation
import OpenerNSE
import TestSupport
import Testing

/// Of `Tests/Vectors/attachment.json` what is refused by the claim, before anything is opened.
struct AttachmentClaimVectorTests {
    private struct Vectors: Decodable {
        struct File: Decodable {
            let id, key: String
            let sealed: String?
        }

        struct Refusal: Decodable {
            let id, file, expect: String
            let sha256: String?
        }

        let files: [File]
        let refusals: [Refusal]
    }

    @Test func anotherFileThanTheClaimSaysIsNotOpened() throws {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/attachment.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        let claimed = vectors.refusals.filter { $0.sha256 != nil }
        #expect(claimed.count > 1)
        for refusal in claimed {
            let file = try #require(vectors.files.first { $0.id == refusal.file })
            let (text, hash) = (try #require(file.sealed), try #require(refusal.sha256.flatMap { Base64URL.decode($0) }))
            let (sealed, key) = (try #require(Base64URL.decode(text)), try #require(Base64URL.decode(file.key)))
            let path = NSTemporaryDirectory() + "waxwing-claim-\(UUID().uuidString)"
            let stage = try ImageStage(directory: path, fetcher: ScriptedFetcher(sealed), scaler: ScriptedScaler())
            let reference = try ImageReference(url: "https://cdn.example.com/1f3a", sha256: hash, key: SymmetricKey(data: key))
            let failure = #expect(throws: ImageFailure.self, "\(refusal.id)") {
                try stage.attach(.claimed(reference), within: .seconds(20), isWanted: { true })
            }
            #expect(failure?.rawValue == refusal.expect, "\(refusal.id)")
        }
    }
}
