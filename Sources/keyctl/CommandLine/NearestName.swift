/// Finds the name that was probably meant.
enum NearestName {
    /// The nearest of the names, nil when none is near enough to be a slip.
    static func of(_ word: String, among names: [String]) -> String? {
        let limit = max(1, word.unicodeScalars.count / 3)
        var best: (name: String, distance: Int)?
        for name in names {
            let isLonger = word.count >= 3 && (name.hasPrefix(word) || word.hasPrefix(name + "-"))
            let distance = isLonger ? 1 : distance(Array(word.unicodeScalars.prefix(64)), Array(name.unicodeScalars))
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How many insertions, deletions, substitutions and swaps of neighbours lie between two names.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int]()
        var last = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var cost = min(last[j] + (a == b ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a == right[j - 1], b == left[i - 1] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
