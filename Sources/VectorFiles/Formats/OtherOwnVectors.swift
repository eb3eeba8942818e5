import EnvelopeFormat

/// Our own vectors of other formats: what they are about cannot be asked for from outside (rows of a store, steps of the sealer). The
/// tests beside that code judge them; here they are counted.
enum OtherOwnVectors: VectorFormat {
    /// By format, what it has beside `format`, `about` and `count`; the arrays among these hold what is counted.
    private static let members: [String: [String]] = [
        "waxwing-at-rest/1": ["stores", "cases"], "waxwing-audit/1": ["stores", "cases"], "waxwing-backups/1": ["files", "cases"],
        "waxwing-enrollments/1": ["documents"], "waxwing-sealer/1": ["cases"],
    ]

    /// All that call themselves ours: those of another name are damaged.
    static func recognizes(_ file: VectorFile) -> Bool {
        file.member("format")?.text.map { $0.hasPrefix("waxwing-") && $0 != "waxwing-cases/1" } ?? false
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        let whole = try file.whole()
        tally.title = file.member("format")?.text ?? ""
        guard let members = members[tally.title] else { throw NeitherNor.unknown("format", tally.title) }
        guard Set(try file.json.names(whole)) == Set(members + ["format", "about", "count"]) else {
            let list = members.joined(separator: ", ")
            throw FormatError(field: "format", reason: "\(tally.title) has \(list), about and count, and no more")
        }
        guard let count = file.member("count")?.plainInteger else {
            throw FormatError(field: "count", reason: "missing or not a whole number")
        }
        for name in members where name != "stores" {
            tally.passOver(try file.elements(name, of: whole).count, "judged by the project's tests alone")
        }
        try tally.expect(Int(count), "count")
    }
}
