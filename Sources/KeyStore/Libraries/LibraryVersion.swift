/// The version of a library of the system, by number.
package struct LibraryVersion: Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    package init(_ major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }

    /// The three numbers that the text begins with, as "3.0.19" or "1.2.3-beta"; nil where it begins otherwise.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map { part in
            Int(part.prefix { ("0"..."9").contains($0) })
        }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else { return nil }
        self.init(major, minor, patch)
    }

    package static func < (left: LibraryVersion, right: LibraryVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }
}
