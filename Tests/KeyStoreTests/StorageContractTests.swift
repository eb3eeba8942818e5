import Testing

@testable import KeyStore

/// What every engine has to do, in one body; an engine is one more line in ``engines``.
@Suite struct StorageContractTests {
    static let engines = ["sqlite"]

    /// A storage of that engine, empty but for its schema, in a directory of its own.
    private final class Bench {
        let root: String
        let storage: any KeyStorage
        private let path: String

        init(_ engine: String) throws {
            root = try Scene.temporaryDirectory()
            path = root + "/contract.sqlite"
            try RawDatabase.make(path)
            storage = try SQLiteStorage.migrating(path: path, now: 1)
        }

        func second() throws -> any KeyStorage { try SQLiteStorage(path: path) }
        deinit { Scene.remove(root) }
    }

    private func row(_ identifier: String, device: String = "d", sequence: Int64 = 1, version: Int64 = 1) -> StoredRow {
        StoredRow(
            table: .bundle, identifier: identifier, version: version,
            values: [
                .text(device), .integer(sequence), .text("c"), .text("h"), .integer(0), .integer(5), .integer(.max),
                .text("pending"), .blob([0, 255]),
            ], sealed: [1, 2, 3])
    }

    @Test(arguments: engines) func rowsComeBackAsTheyWere(engine: String) throws {
        let storage = try Bench(engine).storage
        var secret = StoredRow(
            table: .heldEpoch, identifier: "k", version: 9,
            values: [
                .text("c"), .text("dir"), .text("h"), .integer(-1), .text("ä\u{0}z"), .text(""), .null, .integer(.min),
                .integer(0),
            ], sealed: [])
        secret.secret = WrappedSecret(classKey: "n", classKeyVersion: 1, itemKey: [], value: [0])
        try storage.write { (rows) throws(KeyStoreError) in
            try rows.insert(row("a"))
            try rows.insert(secret)
        }
        try storage.read { (rows) throws(KeyStoreError) in
            let (first, second) = (try rows.row(.bundle, "a"), try rows.row(.heldEpoch, "k"))
            let absent = try rows.row(.bundle, "b")
            #expect(first == row("a") && second == secret && absent == nil)
        }
        var changed = row("a", device: "e", version: 2)
        changed.values[8] = .null
        let former = secret
        secret.secret = nil
        try storage.write { (rows) throws(KeyStoreError) in
            try rows.update(changed, from: row("a"))
            try rows.update(secret, from: former)
        }
        try storage.read { (rows) throws(KeyStoreError) in
            let (first, second) = (try rows.row(.bundle, "a"), try rows.row(.heldEpoch, "k"))
            #expect(first == changed && second == secret)
        }
        try storage.write { (rows) throws(KeyStoreError) in
            try rows.delete(.bundle, "a")
            try rows.delete(.bundle, "a")
        }
        #expect(try storage.read { (rows) throws(KeyStoreError) in try rows.row(.bundle, "a") } == nil)
    }

    @Test(arguments: engines) func namesAreUniqueAndUpdatesNeedARow(engine: String) throws {
        let storage = try Bench(engine).storage
        try storage.write { (rows) throws(KeyStoreError) in try rows.insert(row("a")) }
        let twice = failure {
            try storage.write { (rows) throws(KeyStoreError) in try rows.insert(row("a", device: "x")) }
        }
        #expect(twice?.kind == .alreadyExists)
        let absent = failure {
            try storage.write { (rows) throws(KeyStoreError) in try rows.update(row("b", version: 2), from: row("b")) }
        }
        #expect(absent?.kind == .notFound)
        let other = failure {
            try storage.write { (rows) throws(KeyStoreError) in
                try rows.update(row("a", version: 3), from: row("a", version: 2))
            }
        }
        #expect(other?.kind == .notFound)
        #expect(try storage.read { (rows) throws(KeyStoreError) in try rows.row(.bundle, "a") } == row("a"))
    }

    /// Swift takes both for the same text; the seal over them is another.
    @Test(arguments: engines) func aTextThatIsComposedOtherwiseIsWritten(engine: String) throws {
        let storage = try Bench(engine).storage
        let (composed, decomposed) = (row("a", device: "\u{e9}"), row("a", device: "e\u{301}", version: 2))
        try storage.write { (rows) throws(KeyStoreError) in
            try rows.insert(composed)
            try rows.update(decomposed, from: composed)
            try rows.update(decomposed, from: decomposed)
        }
        let kept = try storage.read { (rows) throws(KeyStoreError) in try rows.row(.bundle, "a") }
        #expect(kept?.values.first == .text("e\u{301}") && kept?.values.first != .text("\u{e9}"))
    }

    @Test(arguments: engines) func matchesHoldTogetherAndRowsAreInOrder(engine: String) throws {
        let storage = try Bench(engine).storage
        try storage.write { (rows) throws(KeyStoreError) in
            for (name, device, sequence) in [("c", "x", Int64(3)), ("a", "x", 1), ("b", "y", 2), ("d", "x", 9)] {
                try rows.insert(row(name, device: device, sequence: sequence))
            }
        }
        func names(_ matches: [Match], _ limit: Int? = nil) throws -> [String] {
            try storage.read { (rows) throws(KeyStoreError) in try rows.rows(.bundle, matches, limit: limit) }
                .map(\.identifier)
        }
        #expect(try names([]) == ["a", "b", "c", "d"])
        #expect(try names([.equal("device", "x")]) == ["a", "c", "d"])
        #expect(try names([.equal("device", "x"), .atMost("sequence", 3)]) == ["a", "c"])
        #expect(try names([.atMost("sequence", 3)]) == ["a", "b", "c"])
        #expect(try names([.atMost("sequence", 3)], 2) == ["a", "b"])
        #expect(try names([.after("b")], 1) == ["c"])
        let count = try storage.read { (rows) throws(KeyStoreError) in
            try rows.count(.bundle, [.equal("device", "x")])
        }
        #expect(count == 3)
    }

    @Test(arguments: engines) func whatThrowsLeavesNothing(engine: String) throws {
        let storage = try Bench(engine).storage
        let error = failure {
            try storage.write { (rows) throws(KeyStoreError) in
                try rows.insert(row("a"))
                try rows.setGeneration(77)
                throw KeyStoreError(.refused, "test", "no")
            }
        }
        #expect(error == KeyStoreError(.refused, "test", "no"))
        try storage.read { (rows) throws(KeyStoreError) in
            let (found, generation) = (try rows.row(.bundle, "a"), try rows.generation())
            #expect(found == nil && generation == 1)
        }
    }

    @Test(arguments: engines) func writersComeOneAfterAnother(engine: String) async throws {
        let bench = try Bench(engine)
        let storages = [bench.storage, try bench.second(), try bench.second(), bench.storage]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for storage in storages {
                group.addTask {
                    for _ in 0..<25 {
                        try storage.write { (rows) throws(KeyStoreError) in
                            try rows.setGeneration(try rows.generation() + 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try bench.storage.read { (rows) throws(KeyStoreError) in try rows.generation() } == 101)
    }

    @Test(arguments: engines) func aReaderSeesOneStateAndHindersNoWriter(engine: String) throws {
        let bench = try Bench(engine)
        let writer = try bench.second()
        try bench.storage.read { (rows) throws(KeyStoreError) in
            let before = try rows.count(.bundle, [])
            try writer.write { (rows) throws(KeyStoreError) in try rows.insert(row("a")) }
            let after = try rows.count(.bundle, [])
            #expect(before == 0 && after == 0)
        }
        #expect(try bench.storage.read { (rows) throws(KeyStoreError) in try rows.count(.bundle, []) } == 1)
    }

    @Test(arguments: engines) func aTransactionInATransactionIsRefused(engine: String) throws {
        let storage = try Bench(engine).storage
        let error = failure {
            try storage.read { (_) throws(KeyStoreError) in try storage.write { (_) throws(KeyStoreError) in } }
        }
        #expect(error?.kind == .refused)
    }

    @Test(arguments: engines) func erasureIsRefusedWhileSomebodyReadsAndDoneAfter(engine: String) throws {
        let bench = try Bench(engine)
        let other = try bench.second()
        try bench.storage.write { (rows) throws(KeyStoreError) in
            try rows.insert(row("a"))
            try rows.setErasurePending(5)
        }
        try other.read { (rows) throws(KeyStoreError) in
            _ = try rows.count(.bundle, [])
            try bench.storage.write { (rows) throws(KeyStoreError) in try rows.delete(.bundle, "a") }
            let isErased = try bench.storage.eraseDeleted()
            #expect(!isErased)
        }
        #expect(try bench.storage.eraseDeleted())
        #expect(try other.read { (rows) throws(KeyStoreError) in try rows.erasurePending() } == 5)
    }
}
