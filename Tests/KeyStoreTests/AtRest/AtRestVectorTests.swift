import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

@testable import KeyStore

/// Stores that another implementation made, and one flaw each: through what reads them, by outcome, step and name.
@Suite struct AtRestVectorTests {
    private let vectors: StoreVectors

    init() throws { vectors = try StoreVectors("at-rest") }

    @Test(arguments: ["sealer", "phone", "bare"]) func everySecretOfAStoreIsOpened(_ name: String) throws {
        let document = try #require(vectors.stores[name])
        let expected = try #require(document.expect)
        let opened = try VectorStore(document).open(nil, []) { (rows) throws(KeyStoreError) in
            #expect(try Verification(rows).run { _ in true } == expected.rows)
            var secrets: [String: String] = [:]
            for table in Table.allCases where table.carriesSecret {
                for row in try rows.storage.rows(table, [], limit: nil) where row.secret != nil {
                    let secret = try rows.cipher.unwrap(row)
                    secrets["\(table.name)/\(row.identifier)"] = secret.withUnsafeBytes { Base64URL.encode(Array($0)) }
                }
            }
            return secrets
        }
        let isSame = opened == expected.secrets
        #expect(isSame && expected.outcome == "holds")
        // Each table is in one of the stores.
        #expect(Set(vectors.stores.values.flatMap(\.tables.keys)) == Set(Table.allCases.map(\.name)))
    }

    @Test func everyChangeIsRefusedSo() throws {
        let stores = try vectors.stores.mapValues { try VectorStore($0) }
        for vector in vectors.cases where vector.anchor == nil && vector.generation == nil {
            let store = try #require(stores[vector.store])
            var error: KeyStoreError?
            do {
                try store.open(vector.unlock, vector.changes ?? [], vector.sql, without: vector.without ?? []) {
                    (rows) throws(KeyStoreError) in try Self.look(vector.open, rows)
                }
            } catch let failure as KeyStoreError {
                error = failure
            }
            let expected = vector.expect
            let found = try #require(error, "\(vector.testDescription) holds")
            #expect(AtRestOutcome(found) == AtRestOutcome(expected), "\(vector.testDescription): \(found)")
        }
    }

    /// At all rows, or at one secret.
    private static func look(_ place: String?, _ rows: RecordTransaction) throws(KeyStoreError) {
        guard let place else {
            _ = try Verification(rows).run { _ in true }
            return
        }
        let name = place.prefix { $0 != "/" }
        guard let table = Table.allCases.first(where: { $0.name == name }),
            let row = try rows.storage.row(table, String(place.dropFirst(name.count + 1)))
        else { throw KeyStoreError(.notFound, place, "no such row") }
        try rows.cipher.check(row)
        _ = try rows.cipher.unwrap(row)
    }

    @Test func everyAnchorIsJudgedSo() throws {
        let folder = try Scene.temporaryDirectory()
        defer { Scene.remove(folder) }
        let path = folder + "/anchor"
        let file = try AnchorFile(path, AccessRules(owner: geteuid(), group: nil))
        let document = try #require(vectors.stores["sealer"])
        let (row, key, store) = try VectorStore(document).open(nil, []) { (rows) throws(KeyStoreError) in
            guard let held = try rows.find(AnchorRow.self, AnchorRow.name) else { throw KeyStoreError(.notFound, "anchor", "") }
            return (held.record, try rows.anchorKey(of: held), rows.cipher.store)
        }
        var count = 0
        for vector in vectors.cases {
            guard let text = vector.anchor else { continue }
            count += 1
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(chmod(path, 0o600) == 0)
            do {
                let standing = row.standing(to: try file.read(key, store: store))
                try standing.require(row, path)
                #expect("\(standing)" == vector.expect.outcome, "\(vector.testDescription)")
            } catch {
                let named = KeyStoreError(error.kind, error.subject == path ? "file" : error.subject, error.reason)
                #expect(AtRestOutcome(named, at: "anchor") == AtRestOutcome(vector.expect), "\(vector.testDescription): \(error)")
            }
        }
        #expect(count > 20)
    }

    @Test func everyGenerationIsJudgedSo() throws {
        let scene = try Scene(.sealer)
        var count = 0
        for vector in vectors.cases {
            guard let numbers = vector.generation else { continue }
            count += 1
            let committed = try #require(Int64(numbers.committed))
            let words = [try #require(UInt64(numbers.started)), try #require(UInt64(numbers.completed))]
            let file = try FileHandle(forWritingTo: URL(filePath: scene.generationFile))
            try file.write(contentsOf: words.withUnsafeBytes { Data($0) })
            try file.close()
            do {
                try scene.store.generation.check(committed: committed)
                #expect(vector.expect.outcome == "holds", "\(vector.testDescription)")
            } catch {
                let named = KeyStoreError(error.kind, error.subject == scene.generationFile ? "generation" : error.subject, error.reason)
                #expect(AtRestOutcome(named, at: "generation") == AtRestOutcome(vector.expect), "\(vector.testDescription): \(error)")
            }
        }
        #expect(count > 5)
    }
}
