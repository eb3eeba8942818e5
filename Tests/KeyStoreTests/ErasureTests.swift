import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials
import Testing

@testable import KeyStore

@Suite struct ErasureTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
    }

    private func itemKey() throws -> [UInt8] {
        try scene.store.read { (rows) throws(KeyStoreError) in
            try rows.all(SecretRow.self)[0].row.secret?.itemKey ?? []
        }
    }

    private func files(contain bytes: [UInt8]) throws -> Bool {
        for suffix in ["", "-wal"] {
            let content = try Data(contentsOf: URL(filePath: scene.database + suffix))
            if content.firstRange(of: Data(bytes)) != nil { return true }
        }
        return false
    }

    @Test func nothingOfTheOlderSecretIsLeftInTheFiles() throws {
        let before = try itemKey()
        #expect(try files(contain: before))
        _ = try sealer.ratchet(chat, now: scene.now)
        #expect(try !files(contain: before))
        #expect(try files(contain: try itemKey()))
        #expect(try !scene.store.status(now: scene.now).erasurePending)
    }

    @Test func erasureThatAReaderHoldsUpIsPendingAndDoneByTheNextWriter() throws {
        let before = try itemKey()
        let reader = try scene.reopened()
        try reader.read { (rows) throws(KeyStoreError) in
            _ = try rows.all(SecretRow.self)
            _ = try sealer.ratchet(chat, now: scene.now)
            let isPending = try scene.store.status(now: scene.now).erasurePending
            #expect(isPending)
        }
        #expect(try files(contain: before))
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now)
        #expect(try !scene.store.status(now: scene.now).erasurePending)
        #expect(try !files(contain: before))
    }

    @Test func secretsAreInNoFileAsTheyAre() throws {
        guard case .conversation(let secret) = try sealer.sealingState(chat, now: scene.now).secret else {
            throw KeyStoreError(.damaged, "", "")
        }
        let bytes = secret.rawKey.withUnsafeBytes { Array($0) }
        #expect(try !files(contain: bytes))
        let text = Array(Base64URL.encode(bytes).utf8)
        #expect(try !files(contain: text))
    }
}
