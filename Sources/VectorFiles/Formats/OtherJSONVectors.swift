import EnvelopeFormat

/// JSON of what is not used here, of the known forms alone: counted.
enum OtherJSONVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { name(of: file) != nil }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        let whole = try file.whole()
        tally.title = name(of: file) ?? ""
        let array = file.json.elements(whole)
        let count = if let array { array.count } else { try file.elements("vectors", of: whole).count }
        tally.passOver(count, "\(tally.title) is not used")
    }

    private static func name(of file: VectorFile) -> String? {
        func has(_ names: [String], _ element: Range<Int>) -> Bool { names.allSatisfy { file.json.member($0, of: element) != nil } }
        if let first = file.firstElement { return has(["token", "now", "secret"], first) ? "Fernet" : nil }
        guard let first = file.json.beginning.flatMap({ file.json.member("vectors", of: $0) }).flatMap({ file.json.elements($0)?.first })
        else { return nil }
        return has(["aead", "base_nonce", "context"], first) ? "chunked encryption" : nil
    }
}
