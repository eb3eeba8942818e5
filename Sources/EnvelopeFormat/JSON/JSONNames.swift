/// The names seen so far in one object, to find the second of two that are the same code points.
struct JSONNames {
    private var few: [String] = []
    private var many: Set<[UInt8]> = []

    /// False when the name is there already.
    mutating func insert(_ name: String) -> Bool {
        if many.isEmpty {
            if few.contains(where: { $0.isSame(as: name) }) { return false }
            few.append(name)
            if few.count > 16 { many = Set(few.map { Array($0.utf8) }) }
            return true
        }
        return many.insert(Array(name.utf8)).inserted
    }
}
