import EnvelopeFormat

/// NIST CAVP's `.rsp` files of SHA-256, and texts of HMAC that are written like them (RFC 4231): a record begins with `Len`, in bits.
enum HashVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["len", "msg", "md"]) }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        let isKeyed = file.names.contains("key")
        // All look the same: which hash it is stands in the remarks at the top.
        let isOurs = file.remarks.contains(isKeyed ? "HMAC-SHA256" : "\"SHA-256 ")
        tally.title = (isKeyed ? "HMAC" : "hash") + (isOurs ? " SHA-256" : "")
        var last = -1
        try VectorRecord.forEach(in: file.bytes, beginningWith: "len", numberedFrom: nil) { (record) throws(FormatError) in
            // A message of each length, from short to long; texts of HMAC have any.
            if isOurs, !isKeyed, let length = Int(record.number) {
                guard length > last else {
                    return tally.damaged(FormatError(field: "Len \(record.number)", reason: "not longer than the message before"))
                }
                last = length
            }
            tally.count("Len \(record.number)") {
                guard isOurs else { return .notApplicable("another hash than SHA-256") }
                return try judge(record, isKeyed: isKeyed)
            }
        }
    }

    private static func judge(_ record: VectorRecord, isKeyed: Bool) throws -> VectorOutcome {
        guard let bits = Int(record.number) else { throw FormatError(field: "Len", reason: "no number") }
        // No message at all is written as one byte.
        let message = bits == 0 ? [] : try record.bytes("Msg")
        guard message.count * 8 == bits else { throw FormatError(field: "Msg", reason: "not as long as Len says") }
        let digest = try record.bytes("MD")
        guard digest.count == 32, try record.group["L"] == nil || record.number("L") == 32 else {
            throw FormatError(field: "MD", reason: "\(digest.count) bytes, where SHA-256 and L have 32")
        }
        return try isKeyed
            ? VectorJudge.hmac(key: record.bytes("Key"), message: message, tag: digest, byteCount: 32, isValid: true)
            : VectorJudge.sha256(message, digest)
    }
}
