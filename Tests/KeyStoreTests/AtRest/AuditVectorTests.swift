import EnvelopeFormat
import Testing

@testable import KeyStore

/// A log that another implementation wrote, and what was done to it: through what verifies one.
@Suite struct AuditVectorTests {
    @Test func everyLogIsJudgedSo() throws {
        let vectors = try StoreVectors("audit")
        let document = try #require(vectors.stores["log"])
        let store = try VectorStore(document)
        for vector in vectors.cases {
            do {
                let key = try vector.key.map { try AuditKey(parsing: Array($0.utf8)) }
                let checkpoint = try vector.checkpoint.map { try AuditCheckpoint(parsing: Array($0.utf8)) }
                let found = try store.open(nil, vector.changes ?? []) { (rows) throws(KeyStoreError) in
                    try AuditVerifier(rows, key: key, checkpoint: checkpoint).run { _ in true }
                }
                let expected = vector.expect
                #expect(found.fault?.number == expected.entry, "\(vector.testDescription): \(String(describing: found.fault))")
                guard expected.outcome == "holds" else {
                    #expect(expected.outcome == "does-not-hold" && found.fault != nil, "\(vector.testDescription)")
                    continue
                }
                #expect(found.holds && found.entries == expected.entries, "\(vector.testDescription)")
                #expect(found.unchecked.map(\.rawValue) == expected.unchecked, "\(vector.testDescription)")
            } catch let error as KeyStoreError {
                #expect(error.kind == .badInput && vector.expect.outcome == "bad-input", "\(vector.testDescription): \(error)")
                #expect(error.subject == vector.expect.names, "\(vector.testDescription)")
            }
        }
    }
}
