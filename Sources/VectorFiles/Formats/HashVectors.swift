import EnvelopeFormat

/// NIST CAVP's `.rsp` files of SHA-256, and texts of HMAC that are written like them (RFC 4231): a record begins with `Len`, in bits.
enum HashVectors: VectorFormat {
    /// What stands in the remarks of other hashes. Some texts have no remark; what they hold is put to ours all the same.
    private static let others = [
        "SHA-1", "SHA-224", "SHA-384", "SHA-512", "SHA3-", "SHA1", "SHA224", "SHA384", "SHA512", "MD5", "RIPEMD", "sm3",
    ]

    static func recognizes(_ file: VectorFile) -> Bool {
        file.names.isSuperset(of: ["len", "msg", "md"]) || file.hasOnly(["l", "len", "key", "msg", "md"], andOneOf: ["len", "md"])
    }

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
                if isOurs { return try judge(record, isKeyed: isKeyed) }
                // Of the length of ours, it is another's by its name, and not answered by ours.
                if try record.bytes("MD").count == 32 {
                    guard file.remarks.isEmpty || others.contains(where: { file.remarks.contains($0) }) else {
                        throw FormatError(field: "hash", reason: "the remarks name none that is known")
                    }
                    if (try? judge(record, isKeyed: isKeyed)) == .passed { throw NeitherNor.ours("hash", "another than SHA-256") }
                }
                return .notApplicable("another hash than SHA-256")
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
