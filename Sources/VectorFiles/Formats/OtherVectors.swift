import EnvelopeFormat

/// Any other text of records that begin with `Count`: known answers, and not of what is used here in a form that is read. They are
/// counted and not looked at.
enum OtherVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.contains("count") && file.hasDigits }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "known answers"
        let count = file.bytes.split(separator: 0x0A).count { VectorLine($0)?.name.lowercased() == "count" }
        tally.passOver(count, "of another algorithm, or in a form that is not read")
    }
}
