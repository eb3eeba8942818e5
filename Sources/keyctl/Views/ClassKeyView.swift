import BackendJSON
import EnvelopeFormat
import KeyStore

/// The class keys of a store, without a byte of them.
enum ClassKeyView {
    static func view(of uses: [ClassKeyUse]) -> View {
        let lines = TableLayout.lines(
            uses.map { [$0.accessible.rawValue, "version \($0.version)", "rows \($0.rowCount)"] })
        return View(lines: lines, json: .members(["class_keys": .list(uses, json)]))
    }

    /// What a replacement would come to: the newest versions alone, of each class one higher unless there are two already.
    static func after(_ uses: [ClassKeyUse]) -> View {
        var lines: [[String]] = []
        var list: [JSONValue] = []
        for accessible in Set(uses.map(\.accessible)).sorted(by: { $0.rawValue < $1.rawValue }) {
            let own = uses.filter { $0.accessible == accessible }
            let newest = own.map(\.version).max() ?? 0
            let version = own.count == 1 ? newest + 1 : newest
            let rows = own.reduce(0) { $0 + $1.rowCount }
            lines.append([accessible.rawValue, "version \(version)", "rows \(rows)"])
            list.append(json(accessible, version, rows))
        }
        return View(lines: TableLayout.lines(lines), json: .members(["class_keys": .list(list) { $0 }]))
    }

    static func report(of uses: [ClassKeyUse], moved: Int, erasurePending: Bool) -> Report {
        let view = view(of: uses)
        let lines = view.lines + ["moved \(moved) rows"] + (erasurePending ? ["erasure pending"] : [])
        let json = JSONValue.members([
            "class_keys": view.json["class_keys"], "moved": .integer(moved), "erasure_pending": .bool(erasurePending),
        ])
        return Report(lines: lines, json: json)
    }

    private static func json(_ use: ClassKeyUse) -> JSONValue { json(use.accessible, use.version, use.rowCount) }

    private static func json(_ accessible: AccessibilityClass, _ version: Int64, _ rows: Int) -> JSONValue {
        .members(["class": .string(accessible.rawValue), "version": .integer(version), "rows": .integer(rows)])
    }
}
