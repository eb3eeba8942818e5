import CryptoPrimitives
import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// A removal touches membership, secrets, counters and bundles; killed anywhere in it, the store is as it was.
@Suite struct KilledWriterTests {
    /// Ends the process at the given call.
    private final class KillingTransaction: StorageTransaction {
        private let rows: any StorageTransaction
        private var left: Int

        init(_ rows: any StorageTransaction, after calls: Int) {
            self.rows = rows
            left = calls
        }

        private func count() {
            if left == 0 { kill(getpid(), SIGKILL) }
            left -= 1
        }

        func row(_ table: Table, _ identifier: String) throws(KeyStoreError) -> StoredRow? {
            try rows.row(table, identifier)
        }
        func rows(_ table: Table, _ matches: [Match], limit: Int?) throws(KeyStoreError) -> [StoredRow] {
            try rows.rows(table, matches, limit: limit)
        }
        func count(_ table: Table, _ matches: [Match]) throws(KeyStoreError) -> Int { try rows.count(table, matches) }
        func insert(_ row: StoredRow) throws(KeyStoreError) {
            count()
            try rows.insert(row)
        }
        func update(_ row: StoredRow, from former: StoredRow) throws(KeyStoreError) {
            count()
            try rows.update(row, from: former)
        }
        func delete(_ table: Table, _ identifier: String) throws(KeyStoreError) {
            count()
            try rows.delete(table, identifier)
        }
        func generation() throws(KeyStoreError) -> Int64 { try rows.generation() }
        func setGeneration(_ generation: Int64) throws(KeyStoreError) { try rows.setGeneration(generation) }
        func erasurePending() throws(KeyStoreError) -> Int64 { try rows.erasurePending() }
        func setErasurePending(_ generation: Int64) throws(KeyStoreError) { try rows.setErasurePending(generation) }
        func nested<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
            try rows.nested(body)
        }
        func checkStructure() throws(KeyStoreError) { try rows.checkStructure() }
        func schemaVersion() throws(KeyStoreError) -> Int { try rows.schemaVersion() }
    }

    /// Its writes: member, bundle, leases, secret, the other bundle, fresh secret, sequence, bundle.
    @Test(arguments: [0, 1, 3, 5, 7]) func aKilledRemovalChangesNothing(calls: Int) async throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let chat = try ConversationIdentifier("chat-1")
        let phones = [Phone(), Phone()]
        for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        let before = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        let bundles = try sealer.pendingBundles(for: phones[0].thumbprint, now: scene.now)
        let (directory, device) = (scene.directory, phones[0].thumbprint.string)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, device = device as String, calls = calls as Int] in
            let sealer = try SealerStore(try Store.open(directory: directory))
            let chat = try ConversationIdentifier("chat-1")
            let thumbprint = try #require(DeviceThumbprint(device))
            try sealer.store.write { (rows) throws(KeyStoreError) in
                let killing = RecordTransaction(KillingTransaction(rows.storage, after: calls), rows.cipher)
                let life = LifeCycle(rows: killing, now: 1_800_000_100)
                var conversation = try life.conversation(chat)
                try life.remove(thumbprint, from: &conversation)
            }
        }
        #expect(try sealer.conversation(chat) == before)
        #expect(try sealer.pendingBundles(for: phones[0].thumbprint, now: scene.now) == bundles)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == before.active)
        #expect((try scene.store.status(verify: true, now: scene.now).verifiedRows ?? 0) > 15)
        let after = try sealer.removeMember(phones[0].thumbprint, from: chat, now: scene.now)
        #expect(after.active != before.active && after.members.map(\.device) == [phones[1].thumbprint])
    }
}
