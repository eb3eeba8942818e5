/// Which generation follows which (docs/decisions/0005-generation-file.md).
enum GenerationNumber {
    /// No store comes to it: a thousand changes a second take 285,000 years. What is not below it was not written by a store.
    static let bound: UInt64 = 1 << 53

    /// What the database says, as a number.
    static func committed(_ number: Int64) -> UInt64 { number < 0 ? .max : UInt64(number) }

    /// A number above all of these; when one of them cannot be believed a random one, so that it is none under which
    /// anybody cached anything.
    static func next(after numbers: [UInt64]) throws(KeyStoreError) -> UInt64 {
        let highest = numbers.reduce(0, max)
        guard highest >= bound - 1 else { return highest + 1 }
        return try RandomName.bytes(6).reduce(1) { $0 << 8 | UInt64($1) }
    }
}
