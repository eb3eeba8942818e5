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
        try pretend(sealer, chat, epoch: given.epoch, granted: given.granted, scene.now)
        let kid = try #require(try sealer.conversation(chat).active)
        try bring(sealer, chat, kid.handle, to: given.state, scene.now)
        var answer = "refused"
        let error = failure { answer = try ask(given.ask, sealer, chat, kid, scene.now) }
        #expect(error == nil || error?.kind == .refused, "\(given.id): \(error?.description ?? "")")
        return answer
    }

    private func ask(
        _ what: String, _ sealer: SealerStore, _ chat: ConversationIdentifier, _ kid: KeyIdentifier, _ now: Int64
    ) throws -> String {
        if what == "ratchet" {
            _ = try sealer.ratchet(chat, now: now)
            return "ratcheted"
        }
        // It is asked before each seal, and ratchets when it is time.
        let current = try sealer.sealingState(chat, now: now).kid
        guard current == kid else {
            #expect(current == kid.at(epoch: kid.epoch + 1))
            return "ratcheted"
        }
        _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: now)
        return "granted"
    }

    private func pretend(
        _ sealer: SealerStore, _ chat: ConversationIdentifier, epoch: Int, granted: Int64, _ now: Int64
    ) throws {
        try sealer.write(at: now) { (life) throws(KeyStoreError) in
            var active = try life.conversation(chat).requireActive()
            let secret = try life.rows.secret(of: active)
            active.record.epoch = epoch
            active.record.leased = granted
            try life.rows.update(&active, secret: secret)
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
