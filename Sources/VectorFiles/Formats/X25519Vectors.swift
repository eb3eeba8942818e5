import EnvelopeFormat

/// Texts of X25519 and X448 (RFC 7748): counted, as neither is used.
enum X25519Vectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["count", "input_scalar", "input_u", "output_u"]) }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 7748"
        try VectorRecord.forEach(in: file.bytes, numberedFrom: 0...1) { (_) throws(FormatError) in
            tally.passOver(1, "X25519 and X448 are not used")
        }
    }
}
