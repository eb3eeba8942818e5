import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a migration is shown.
enum MigrationView {
    static func before(_ report: MigrationReport) -> View { view(of: report, report.schemaBefore, []) }

    /// - Parameter auditKeyFile: where the start key of the log was written, if it was.
    static func view(of report: MigrationReport, auditKeyFile: String?) -> View {
        view(of: report, report.schemaAfter, report.applied, auditKeyFile)
    }

    private static func view(
        of report: MigrationReport, _ schema: Int, _ applied: [String], _ auditKeyFile: String? = nil
    ) -> View {
        let advice = auditKeyFile.map { [InitView.advice(onAuditKey: $0)] } ?? []
        let lines = ["\(report.role.rawValue) store \(report.identifier)", "schema \(schema)"]
        let json = JSONValue.members([
            "role": .string(report.role.rawValue), "store": .string(report.identifier),
            "access_group": .string(report.accessGroup), "schema": .integer(schema),
            "applied": .list(applied) { .string($0) }, "audit_key": auditKeyFile.map { .string($0) },
        ])
        return View(lines: lines + applied.map { "applied \($0)" } + advice, json: json)
    }
}
