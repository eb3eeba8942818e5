import EnvelopeFormat

/// Our own vectors of other formats: what they are about cannot be asked for from outside (rows of a store, steps of the sealer). The
/// tests beside that code judge them; here they are counted.
enum OtherOwnVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool {
        file.member("format")?.text.map { $0.hasPrefix("waxwing-") && $0 != "waxwing-cases/1" } ?? false
    }

    /// What holds the cases: which of these a file has differs by format.
    private static let arrays = ["cases", "documents", "files", "rules"]

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        let whole = try file.whole()
        tally.title = file.member("format")?.text ?? ""
        guard let count = file.member("count")?.plainInteger else {
            throw FormatError(field: "count", reason: "missing or not a whole number")
        }
        for name in arrays where file.json.member(name, of: whole) != nil {
            tally.passOver(try file.elements(name, of: whole).count, "judged by the project's tests alone")
        }
        try tally.expect(Int(count), "count")
    }
}
