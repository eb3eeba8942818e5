import EnvelopeFormat

/// Texts of X25519 and X448 (RFC 7748): counted, as neither is used.
enum X25519Vectors: VectorFormat {
    private static let lines: Set<String> = ["INPUT_SCALAR", "INPUT_U", "OUTPUT_U"]

    static func recognizes(_ file: VectorFile) -> Bool { !file.names.isDisjoint(with: lines.map { $0.lowercased() }) }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 7748"
        try VectorRecord.forEach(in: file.bytes, numberedFrom: 0...1) { (record) throws(FormatError) in
            tally.count("count \(record.number)") {
                try record.checkLines(lines)
                for name in lines where ![32, 56].contains(try record.bytes(name).count) {
                    throw FormatError(field: name, reason: "of the length of neither X25519 nor X448")
                }
                return .notApplicable("X25519 and X448 are not used")
            }
        }
    }
}
