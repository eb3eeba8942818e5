import EnvelopeFormat

/// Any other text of records, which begin with `Count` or stand between empty lines of an answer of NIST: known answers, and not of what
/// is used here in a form that is read. They are counted and not looked at.
enum OtherVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool {
        file.hasDigits && (file.names.contains("count") || file.remarks.contains("CAVS "))
            || file.remarks.prefixMatch(of: /#\s+CAVS \d/) != nil
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "known answers"
        let lines = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { VectorLine($0) }
        var count = lines.count { $0?.name.lowercased() == "count" }
        if count == 0 {
            var isInRecord = false
            for line in lines {
                let isOfRecord = line.map { !$0.isOfGroup && !$0.value.isEmpty } ?? false
                if isOfRecord, !isInRecord { count += 1 }
                isInRecord = isOfRecord
            }
        }
        tally.passOver(count, "of another algorithm, or in a form that is not read")
    }
}
