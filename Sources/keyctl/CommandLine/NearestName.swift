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

    /// Levenshtein's distance: insertions, deletions and substitutions.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = a == b ? diagonal : 1 + min(diagonal, above, row[j])
                diagonal = above
            }
        }
        return row[right.count]
    }
}
