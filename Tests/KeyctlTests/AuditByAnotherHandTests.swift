import Foundation
import Testing

/// The specification of the audit log is enough to verify one: `Tests/Interop/audit_log.py` knows nothing else.
@Suite struct AuditByAnotherHandTests {
    private static let verifier = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Interop/audit_log.py").path

    @Test func bothSayTheSame() throws {
        let place = try Workplace()
        func ends(_ line: String, _ status: Int32, _ output: String? = nil) throws {
            let finished = try place.run(line, variables: ["verifier": Self.verifier])
            #expect(finished.status == status, "\(line): \(finished.errorText)")
            if let output { #expect(finished.outputText == output + "\n", "\(line)") }
        }
        let verify = "python3 \"$verifier\" sealer/group.waxwing.default/store.sqlite audit.key"
        try ends("keyctl init --store sealer --role sealer --key-file key --audit-key audit.key", 0)
        try ends("keyctl provision --store sealer --conversation chat", 0)
        try ends("keyctl rotate --store sealer --conversation chat", 0)
        try ends("keyctl promote --store sealer --conversation chat", 65)
        try ends("echo hi | keyctl seal --store sealer --conversation chat --body-file -", 65)
        try ends("keyctl audit checkpoint --store sealer --output checkpoint.json", 0)
        try ends("keyctl rotate --store sealer --conversation chat --rekey", 0)
        try ends("keyctl audit verify --store sealer --key audit.key --quiet | sed q", 0, "holds: 7 entries")
        try ends(verify + " checkpoint.json", 0, "holds: 7 entries")
        let database = "sealer/group.waxwing.default/store.sqlite"
        let edit = """
            python3 -c "import sqlite3; d = sqlite3.connect('\(database)'); \
            d.execute('update audit_entry set reason = null where reason is not null and operation = \\'promote\\''); \
            d.commit()"
            """
        try ends(edit, 0)
        try ends(verify, 1, "entry 5: wrong MAC")
        try ends(
            "keyctl audit verify --store sealer --key audit.key | sed q", 0,
            "DOES NOT HOLD: entry 5: it is not as it was written")
    }
}
