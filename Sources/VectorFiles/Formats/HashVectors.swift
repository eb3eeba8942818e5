import EnvelopeFormat

/// NIST CAVP's `.rsp` files of SHA-256, and texts of HMAC that are written like them (RFC 4231): a record begins with `Len`, in bits.
enum HashVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["len", "msg", "md"]) }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        let isKeyed = file.names.contains("key")
        // All look the same: which hash it is stands in the remarks at the top.
        let isOurs = file.remarks.contains(isKeyed ? "HMAC-SHA256" : "\"SHA-256 ")
        var tally = VectorTally((isKeyed ? "HMAC" : "hash") + (isOurs ? " SHA-256" : ""))
        try VectorRecord.forEach(in: file.bytes, beginningWith: "len") { (record) throws(FormatError) in
            try tally.count("Len \(record.number)") {
                guard isOurs else { return .notApplicable("another hash than SHA-256") }
                return try judge(record, isKeyed: isKeyed)
            }
        }
        return tally
    }

    private static func judge(_ record: VectorRecord, isKeyed: Bool) throws -> VectorOutcome {
        guard let bits = Int(record.number) else { throw FormatError(field: "Len", reason: "no number") }
        // No message at all is written as one byte.
        let message = bits == 0 ? [] : try record.bytes("Msg")
        guard message.count * 8 == bits else { throw FormatError(field: "Msg", reason: "not as long as Len says") }
        let digest = try record.bytes("MD")
        // Not compared, as less of it would do.
        guard digest.count == 32 else { return .notApplicable("digest not of 256 bits") }
        return try isKeyed
            ? VectorJudge.hmac(key: record.bytes("Key"), message: message, tag: digest, isValid: true)
            : VectorJudge.sha256(message, digest)
    }
}
