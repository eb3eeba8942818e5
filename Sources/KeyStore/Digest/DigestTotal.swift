/// What a shard of the digest says of its rows, or what a transaction changed of that.
struct DigestTotal: Equatable, Sendable {
    var count: Int64 = 0
    var sum = DigestSum()

    mutating func add(_ element: DigestSum) {
        count += 1
        sum += element
    }

    mutating func remove(_ element: DigestSum) {
        count -= 1
        sum -= element
    }

    mutating func add(_ other: DigestTotal) {
        count += other.count
        sum += other.sum
    }
}
