/// Totals of several shards.
struct DigestTotals {
    private var totals: [DigestShard: DigestTotal] = [:]

    /// Whether nothing is in any of them.
    var isEmpty: Bool { totals.values.allSatisfy { $0 == DigestTotal() } }

    /// Those with something in them, by name.
    var inOrder: [(shard: DigestShard, total: DigestTotal)] {
        totals.filter { $0.value != DigestTotal() }.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
    }

    subscript(shard: DigestShard) -> DigestTotal { totals[shard] ?? DigestTotal() }

    mutating func add(_ element: DigestSum, to shard: DigestShard) {
        totals[shard, default: DigestTotal()].add(element)
    }

    mutating func remove(_ element: DigestSum, from shard: DigestShard) {
        totals[shard, default: DigestTotal()].remove(element)
    }
}
