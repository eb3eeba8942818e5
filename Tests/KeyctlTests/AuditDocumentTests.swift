import Foundation
import Testing

/// `audit show --json` prints a whole document also where it ends early, and says why.
@Suite struct AuditDocumentTests {
    private static let database = "sealer/group.waxwing.default/store.sqlite"

    private func document(_ finished: Finished) throws -> (entries: [Any], error: String?) {
        let object = try JSONSerialization.jsonObject(with: finished.output)
        let members = try #require(object as? [String: Any])
        return (try #require(members["entries"] as? [Any]), members["error"] as? String)
    }

    private func edit(_ stores: TestStores, _ number: Int) throws {
        let row = String(repeating: "0", count: 16 - String(number, radix: 16).count) + String(number, radix: 16)
        _ = try stores.ends(
            """
            python3 -c "import sqlite3; d = sqlite3.connect('\(Self.database)'); \
            d.execute('update audit_entry set at = at + 1 where id = \\'\(row)\\''); d.commit()"
            """, 0)
    }

    @Test func ofALogThatHoldsItTellsOfNoError() throws {
        let stores = try TestStores()
        let told = try document(try stores.ends("keyctl audit show --store sealer --json", 0))
        #expect(told.entries.count > 4 && told.error == nil)
    }

    @Test(arguments: [1, 4]) func anEntryThatDoesNotHoldEndsIt(number: Int) throws {
        let stores = try TestStores()
        try edit(stores, number)
        let finished = try stores.ends("keyctl audit show --store sealer --json", 65)
        let told = try document(finished)
        #expect(told.entries.count == number - 1)
        let error = try #require(told.error)
        #expect(finished.errorText == "keyctl: error: \(error)\n" && error.hasPrefix("row audit_entry/"))
    }

    /// Behind the first part, when the store has gone meanwhile.
    @Test func aStoreThatGoesMeanwhileEndsIt() throws {
        let stores = try TestStores()
        _ = try stores.ends(
            "seq 900 | sed 's/.*/{\"conversation\":\"c&\"}/' | keyctl provision --store sealer --from - > provisioned", 0)
        let finished = try stores.ends(
            """
            mkfifo pipe; (keyctl audit show --store sealer --json > pipe; echo $? > status) &
            exec 3< pipe; head -c 1 <&3; mv sealer away; cat <&3; wait; mv away sealer; exit $(cat status)
            """, 69)
        let told = try document(finished)
        #expect(told.entries.count >= 1_000 && told.error?.contains("not there any more") == true)
    }

    @Test func whereNothingWasBegunThereIsNone() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl lock --store phone --restart", 0)
        #expect(try stores.ends("keyctl audit show --store phone --json", 77).output.isEmpty)
    }
}
