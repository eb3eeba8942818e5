import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// What an operation costs depends on what it changes, and not on how much there is beside it.
@Suite struct WorkTests {
    private func work(_ store: Store) throws -> [String: (steps: Int, scanned: Int)] {
        try #require(store.storage as? SQLiteStorage).work()
    }

    /// The steps of SQLite's machine that the body takes.
    private func steps(_ store: Store, _ body: () throws -> Void) throws -> Int {
        let before = try work(store).values.reduce(0) { $0 + $1.steps }
        try body()
        return try work(store).values.reduce(0) { $0 + $1.steps } - before
    }

    /// No statement reads a table through, but what a verification or a list is asked to read.
    private func expectNoScan(_ store: Store, _ database: String) throws {
        let raw = try RawDatabase(database)
        for (sql, work) in try work(store) {
            // Asked when a store is opened, and not of its records.
            if sql.contains("sqlite_schema") || sql.contains("schema_migration") { continue }
            #expect(work.scanned == 0, "\(sql)")
            guard sql.hasPrefix("SELECT") || sql.hasPrefix("UPDATE") || sql.hasPrefix("DELETE") else { continue }
            // Tables of one row, or of one for each way to unlock.
            if ["housekeeping", "FROM slot", "FROM store ORDER"].contains(where: sql.contains) { continue }
            for step in try raw.plan(of: sql) {
                #expect(!step.hasPrefix("SCAN"), "\(sql): \(step)")
            }
        }
    }

    @Test func aSealerStoreReadsNoTableThrough() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let phones = [Phone(), Phone(), Phone()]
        for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        let chats = try (0..<8).map { try ConversationIdentifier("chat-\($0)") }
        for chat in chats {
            _ = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        }
        let state = try sealer.sealingState(chats[0], now: scene.now)
        _ = try sealer.leaseSeals(state.kid, of: chats[0], count: 5, now: scene.now)
        _ = try sealer.ratchet(chats[0], now: scene.now)
        _ = try sealer.rekey(chats[1], now: scene.now)
        _ = try sealer.rekey(chats[1], restart: true, now: scene.now)
        let bundles = try sealer.pendingBundles(for: phones[0].thumbprint, now: scene.now)
        try sealer.acknowledge(device: phones[0].thumbprint, sequence: bundles[3].sequence, now: scene.now)
        _ = try sealer.revoke(chats[2], now: scene.now)
        _ = try sealer.removeMember(phones[1].thumbprint, from: chats[3], now: scene.now)
        try sealer.removeDevice(phones[2].thumbprint, now: scene.now)
        let start = String(phones[0].thumbprint.string.prefix(20))
        #expect(try sealer.device(matching: start).thumbprint == phones[0].thumbprint)
        try expectNoScan(scene.store, scene.database)
    }

    @Test func aDeviceStoreReadsNoTableThrough() throws {
        let scene = try Scene(.device)
        let device = try DeviceStore(scene.store)
        let chat = try ConversationIdentifier("chat")
        for number in 0..<50 {
            let message = [UInt8](repeating: UInt8(number), count: 16)
            let until = scene.now + (number % 2 == 0 ? -1 : 1_000)
            _ = device.remember(chat, messageIdentifier: message, until: until, now: scene.now)
        }
        try device.reading { (device) throws(KeyStoreError) in
            _ = try device.heldEpochs(conversation: chat, algorithm: .dir)
        }
        try expectNoScan(scene.store, scene.database)
    }

    @Test func whatItCostsDoesNotGrowWithWhatIsThere() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let phones = [Phone(), Phone()]
        for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        let members = phones.map(\.thumbprint)
        func costs(_ name: String) throws -> [Int] {
            let chat = try ConversationIdentifier(name)
            let other = Phone()
            _ = try sealer.enroll(try other.document(), now: scene.now)
            let provision = try steps(scene.store) {
                _ = try sealer.provision(chat, algorithm: .dir, members: members, now: scene.now)
            }
            let add = try steps(scene.store) { _ = try sealer.addMember(other.thumbprint, to: chat, now: scene.now) }
            let remove = try steps(scene.store) { try sealer.removeDevice(other.thumbprint, now: scene.now) }
            let ratchet = try steps(scene.store) { _ = try sealer.ratchet(chat, now: scene.now) }
            return [provision, add, remove, ratchet]
        }
        let first = try costs("first")
        for number in 0..<150 {
            let chat = try ConversationIdentifier("chat-\(number)")
            _ = try sealer.provision(chat, algorithm: .dir, members: members, now: scene.now)
        }
        let last = try costs("last")
        for (first, last) in zip(first, last) { #expect(last < first + first / 4 + 100, "\(first) \(last)") }
        // Acknowledged from the first to the last, as a device does.
        let pending = try sealer.pendingBundles(for: members[0], now: scene.now)
        let acknowledged = try pending.map { bundle in
            try steps(scene.store) {
                try sealer.acknowledge(device: members[0], sequence: bundle.sequence, now: scene.now)
            }
        }
        let (least, most) = (acknowledged.min() ?? 0, acknowledged.max() ?? 0)
        #expect(most < least + least / 4 + 100, "\(least) \(most)")
    }

    /// What one conversation of a job costs, when there are few and when there are many.
    @Test func whatAJobCostsEachDoesNotGrowWithTheirNumber() throws {
        func costs(_ count: Int) throws -> (provision: Int, rotate: Int) {
            let scene = try Scene(.sealer)
            let sealer = try SealerStore(scene.store)
            let plans = try (0..<count).map {
                Provisioning(conversation: try ConversationIdentifier("chat-\(1_000 + $0)"), algorithm: .dir, members: [])
            }
            var made = 0
            let provision = try steps(scene.store) {
                while made < count {
                    made += try sealer.provision(Array(plans[made..<min(made + 20, count)]), now: scene.now).count
                }
            }
            let run = try sealer.beginRotation(.ratchet, now: scene.now)
            var rotated = 0
            let rotate = try steps(scene.store) {
                while rotated < count { rotated += try sealer.rotateSome(run, now: scene.now, limit: 20).rotated.count }
            }
            try expectNoScan(scene.store, scene.database)
            return (provision / count, rotate / count)
        }
        let (few, many) = (try costs(40), try costs(800))
        #expect(many.provision < few.provision + few.provision / 4, "\(few) \(many)")
        #expect(many.rotate < few.rotate + few.rotate / 4, "\(few) \(many)")
    }
}
