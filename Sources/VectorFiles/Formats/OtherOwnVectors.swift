import EnvelopeFormat

/// Our own vectors of other formats: what they are about cannot be asked for from outside (rows of a store, steps of the sealer). The
/// tests beside that code judge them; here they are counted.
enum OtherOwnVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.member("format")?.text?.hasPrefix("waxwing-") ?? false }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        _ = try file.whole()
        var tally = VectorTally(file.member("format")?.text ?? "")
        guard let count = file.member("count")?.plainInteger else {
            throw FormatError(field: "count", reason: "missing or not a whole number")
        }
        tally.passOver(Int(count), "judged by the project's tests alone")
        return tally
    }
}
