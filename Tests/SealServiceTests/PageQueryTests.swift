import Testing

@testable import SealService

/// Lists in parts.
@Suite struct PageQueryTests {
    /// The largest page tells of what is behind it too, and so does one that ends with the list.
    @Test(arguments: [(10_000, 10_001, true), (10_000, 10_000, false), (2, 3, true), (2, 2, false), (2, 0, false)])
    func aPageSaysWhetherThereIsMore(limit: Int, count: Int, hasMore: Bool) throws {
        let page = try PageQuery(["limit": "\(limit)"])
        // As the store does, no more than the largest page at a time.
        let (records, next) = try page.cut(after: nil, { $0 }) { (after: Int?, wanted: Int) in
            Array(((after ?? 0)..<count).prefix(min(wanted, 10_000)).map { $0 + 1 })
        }
        #expect(records.count == min(limit, count) && (next != nil) == hasMore)
        if hasMore { #expect(next == records.last) }
    }
}
