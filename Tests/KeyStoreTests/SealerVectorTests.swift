import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

/// `Tests/Vectors/sealer.json`, made by another implementation: what the state of a key allows (envelope spec, section 7.1).
@Suite struct SealerVectorTests {
    private struct Vectors: Decodable {
        struct Case: Decodable, Sendable {
            let id, about, state, ask, expect: String
            let epoch: Int
            let granted: Int64
        }

        let format: String
        let count: Int
        let cases: [Case]
    }

    private func answer(_ given: Vectors.Case) throws -> String {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            var active = try life.conversation(chat).requireActive()
            active.record.epoch = given.epoch
            active.record.leased = given.granted
            try life.rows.update(&active)
        }
        let kid = try #require(try sealer.conversation(chat).active)
        try bring(sealer, chat, kid.handle, to: given.state, scene.now)
        do {
            switch given.ask {
            case "seal":
                #expect(try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now).count == 1)
                return "granted"
            case "ratchet":
                #expect(try sealer.ratchet(chat, now: scene.now).epoch == given.epoch + 1)
                return "ratcheted"
            default:
                Issue.record("\(given.id): nothing is known that is called \(given.ask)")
                return ""
            }
        } catch  where error.kind == .refused {
            return "refused"
        }
    }

    private func bring(
        _ sealer: SealerStore, _ chat: ConversationIdentifier, _ handle: Handle, to state: String, _ now: Int64
    ) throws {
        switch state {
        case "active": break
        case "suspended": _ = try sealer.suspend(chat, now: now)
        default:
            _ = try sealer.retire(chat, force: true, now: now)
            if state == "compromised" { _ = try sealer.revoke(chat, handle: handle, now: now) }
            if state == "destroyed" { _ = try sealer.destroy(chat, handle: handle, force: true, now: now) }
        }
        let held = try sealer.conversation(chat).handles.first { $0.handle == handle }
        #expect(held?.state.rawValue == state)
    }

    @Test func everyStateAllowsOrRefusesSo() throws {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/sealer.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        try #require(vectors.format == "waxwing-sealer/1" && vectors.count == vectors.cases.count)
        for one in vectors.cases { #expect(try answer(one) == one.expect, "\(one.id): \(one.about)") }
        #expect(Set(vectors.cases.map(\.expect)) == ["granted", "ratcheted", "refused"])
    }
}
