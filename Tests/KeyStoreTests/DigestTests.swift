import EnvelopeFormat
import Testing

@testable import KeyStore

/// The digest over all rows: what no seal of a row can show.
@Suite struct DigestTests {
    private let (scene, sealer, chat, phone): (Scene, SealerStore, ConversationIdentifier, Phone)
    private let database: RawDatabase

    init() throws {
        (scene, sealer, chat, phone) = try Scene.withConversation()
        database = try RawDatabase(scene.database)
        _ = try verified()
    }

    private func verified() throws -> Int { try #require(try scene.store.status(verify: true, now: scene.now).verifiedRows) }

    private func found() -> KeyStoreError? { failure { _ = try verified() } }

    private func shard(_ table: Table, _ identifier: String) -> String { DigestShard(of: identifier, in: table).name }

    @Test func sumsAreModulo256BitsAndInAnyOrder() throws {
        let one = try #require(DigestSum([UInt8](repeating: 0, count: 31) + [1]))
        let most = try #require(DigestSum([UInt8](repeating: 255, count: 32)))
        var sum = most
        sum += one
        #expect(sum == DigestSum())
        sum -= one
        #expect(sum == most && sum.bytes == [UInt8](repeating: 255, count: 32))
        #expect(DigestSum([1, 2, 3]) == nil)
        let elements = try (0..<50).map { _ in try #require(DigestSum(try SodiumLibrary.randomBytes(32))) }
        var forward = DigestSum()
        var backward = DigestSum()
        for element in elements { forward += element }
        for element in elements.reversed() { backward += element }
        #expect(forward == backward && DigestSum(forward.bytes) == forward && forward != DigestSum())
        for element in elements.shuffled() { forward -= element }
        #expect(forward == DigestSum())
    }

    @Test func shardsHaveNamesAndRowsAreSpread() {
        #expect(DigestShard.all.count == (Table.allCases.count - 1) * 16)
        #expect(Set(DigestShard.all.map(\.name)).count == DigestShard.all.count)
        var counts = [Int](repeating: 0, count: 16)
        for number in 0..<16_000 { counts[DigestShard(of: "chat-\(number)", in: .conversation).number] += 1 }
        #expect(counts.allSatisfy { (700...1_300).contains($0) }, "\(counts)")
    }

    @Test func aDeletedRowIsFoundAndItsShardNamed() throws {
        let member = try #require(try database.text("SELECT id FROM member"))
        try database.edit("DELETE FROM member", of: [.member]) {
            let error = found()
            #expect(error?.kind == .damaged)
            #expect(error?.subject == "digest \(shard(.member, member))", "\(String(describing: error))")
            #expect(error?.reason == "0 rows where 1 were written: one was taken out")
        }
        _ = try verified()
    }

    @Test func anOlderWholeRowIsFound() throws {
        try database.run("CREATE TEMP TABLE old AS SELECT * FROM sequence")
        _ = try sealer.rekey(chat, now: scene.now)
        _ = try verified()
        try database.edit("DELETE FROM sequence; INSERT INTO sequence SELECT * FROM old", of: [.sequence]) {
            let error = found()
            #expect(error?.subject == "digest \(shard(.sequence, phone.thumbprint.string))")
            #expect(error?.reason == "one of its rows is not the one that was written last")
        }
        _ = try verified()
    }

    @Test func aRowThatWasDeletedAndIsPutBackIsFound() throws {
        try database.run("CREATE TEMP TABLE old AS SELECT * FROM member")
        _ = try sealer.removeMember(phone.thumbprint, from: chat, now: scene.now)
        _ = try verified()
        try database.run("INSERT INTO member SELECT * FROM old")
        #expect(found()?.reason == "1 rows where 0 were written: one was put in")
    }

    @Test func anOlderRowWithItsOlderShardIsFoundByTheRoot() throws {
        try database.run("CREATE TEMP TABLE old AS SELECT * FROM sequence")
        try database.run("CREATE TEMP TABLE shards AS SELECT * FROM digest WHERE id GLOB 'sequence/*'")
        _ = try sealer.rekey(chat, now: scene.now)
        try database.edit(
            """
            DELETE FROM sequence; INSERT INTO sequence SELECT * FROM old;
            DELETE FROM digest WHERE id GLOB 'sequence/*'; INSERT INTO digest SELECT * FROM shards
            """, of: [.sequence, .digest]
        ) {
            let error = found()
            #expect(error?.kind == .damaged && error?.subject == "digest root", "\(String(describing: error))")
        }
        _ = try verified()
    }

    @Test func aTableThatIsEmptiedWithItsShardsIsFound() throws {
        try database.edit(
            "DELETE FROM lease; DELETE FROM member; DELETE FROM digest WHERE id GLOB 'member/*'",
            of: [
                .lease, .member, .digest,
            ]
        ) {
            #expect(found()?.subject == "digest root")
        }
    }

    @Test func withoutItsRootNothingIsVerifiedAndNothingWritten() throws {
        try database.edit("DELETE FROM digest WHERE id = 'root'", of: [.digest]) {
            let missing = KeyStoreError(.damaged, "row digest/root", "it is not there")
            #expect(found() == missing)
            #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) } == missing)
        }
        _ = try verified()
        _ = try sealer.ratchet(chat, now: scene.now)
        _ = try verified()
    }

    @Test func anEarlierRootIsFound() throws {
        try database.run("CREATE TEMP TABLE old AS SELECT * FROM digest WHERE id = 'root'")
        _ = try sealer.ratchet(chat, now: scene.now)
        try database.edit("DELETE FROM digest WHERE id = 'root'; INSERT INTO digest SELECT * FROM old", of: [.digest]) {
            #expect(found()?.subject == "digest root")
        }
    }

    @Test func aShardIsWrittenOnceATransaction() throws {
        func versions() throws -> [String: Int] {
            var versions: [String: Int] = [:]
            for line in try database.texts("SELECT id || '=' || version FROM digest") {
                let parts = line.split(separator: "=")
                versions[String(parts[0])] = Int(parts[1])
            }
            return versions
        }
        let before = try versions()
        try scene.store.write { (rows) throws(KeyStoreError) in
            for number in 0..<100 { try rows.insert(SequenceRow(thumbprint: Phone().thumbprint, last: Int64(number))) }
        }
        for (name, version) in try versions() {
            #expect(version <= (before[name] ?? 0) + 1, "\(name) was written more than once")
        }
        #expect(try versions()["root"] == (before["root"] ?? 0) + 1)
        _ = try verified()
    }

    @Test func whatComesAndGoesInOneTransactionLeavesTheDigestAsItWas() throws {
        let before = try database.texts("SELECT hex(sealed) FROM digest ORDER BY id")
        try scene.store.write { (rows) throws(KeyStoreError) in
            let row = try rows.insert(SequenceRow(thumbprint: Phone().thumbprint, last: 1))
            try rows.delete(row)
        }
        #expect(try database.texts("SELECT hex(sealed) FROM digest ORDER BY id") == before)
        _ = try verified()
    }

    @Test func aRowWrittenSeveralTimesIsCountedOnce() throws {
        try scene.store.write { (rows) throws(KeyStoreError) in
            var store = try rows.storeRecord()
            for _ in 0..<3 { try rows.update(&store) }
            var row = try rows.insert(SequenceRow(thumbprint: Phone().thumbprint, last: 1))
            row.record.last = 2
            try rows.update(&row)
        }
        _ = try verified()
    }

    @Test func aRehearsalCountsToo() throws {
        let before = try database.texts("SELECT hex(sealed) FROM digest ORDER BY id")
        try scene.store.rehearse { store in
            let sealer = try SealerStore(store)
            _ = try sealer.ratchet(chat, now: scene.now)
            #expect(try store.status(verify: true, now: scene.now).verifiedRows ?? 0 > 0)
        }
        #expect(try database.texts("SELECT hex(sealed) FROM digest ORDER BY id") == before)
    }
}
