/// Where in the digest a row is counted: one of sixteen shards of its table. The shards themselves are counted in the root.
struct DigestShard: Hashable, Sendable {
    static let countOfTable = 16
    static let root = DigestShard(table: .digest, number: 0)

    let table: Table
    let number: Int

    init(table: Table, number: Int) {
        self.table = table
        self.number = number
    }

    /// By FNV-1a of the row's name, its 64 bits folded to four: it spreads rows, and nothing else is asked of it.
    init(of identifier: String, in table: Table) {
        guard table != .digest else {
            self = .root
            return
        }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in identifier.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for width: UInt64 in [32, 16, 8, 4] { hash ^= hash >> width }
        self.init(table: table, number: Int(hash & 15))
    }

    /// Nil for what is no shard's name, nor the root's.
    init?(named name: String) {
        if name == DigestRow.rootName {
            self = .root
            return
        }
        guard let slash = name.lastIndex(of: "/"), let number = Int(name[name.index(after: slash)...]),
            (0..<Self.countOfTable).contains(number),
            let table = Table.allCases.first(where: { $0 != .digest && $0.name == name[..<slash] })
        else { return nil }
        self.init(table: table, number: number)
        guard self.name == name else { return nil }
    }

    init(of row: StoredRow) { self.init(of: row.identifier, in: row.table) }

    /// The name of its row.
    var name: String { self == .root ? DigestRow.rootName : "\(table.name)/\(number)" }

    /// The shards of all tables, in order.
    static var all: [DigestShard] {
        Table.allCases.filter { $0 != .digest }.flatMap { table in
            (0..<countOfTable).map { DigestShard(table: table, number: $0) }
        }
    }
}
