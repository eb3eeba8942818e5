/// A table: its name and its columns, in order.
struct TableLayout: Sendable {
    let name: String
    let columns: [Column]

    init(_ name: String, _ columns: Column...) {
        self.name = name
        self.columns = columns
    }
}
