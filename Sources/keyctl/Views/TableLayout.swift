/// Rows in columns, each as wide as its widest cell; the last is not padded.
enum TableLayout {
    static func lines(_ rows: [[String]]) -> [String] {
        let escaped = rows.map { $0.map(PrintableText.escape) }
        let columns = escaped.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            escaped.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return escaped.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }
    }
}
