import EnvelopeFormat
import KeyStore

/// How a migration is shown.
enum MigrationView {
    static func before(_ report: MigrationReport) -> View { view(of: report, report.schemaBefore, []) }

    static func view(of report: MigrationReport) -> View { view(of: report, report.schemaAfter, report.applied) }

    private static func view(of report: MigrationReport, _ schema: Int, _ applied: [String]) -> View {
        let lines = ["\(report.role.rawValue) store \(report.identifier)", "schema \(schema)"]
        let json = JSONValue.members([
            "role": .string(report.role.rawValue), "store": .string(report.identifier),
            "access_group": .string(report.accessGroup), "schema": .integer(schema),
            "applied": .list(applied) { .string($0) },
        ])
        return View(lines: lines + applied.map { "applied \($0)" }, json: json)
    }
}
