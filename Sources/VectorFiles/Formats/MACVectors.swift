import EnvelopeFormat

/// NIST CAVP's `HMAC.rsp`: the length of the hash stands in brackets, codes are cut to `Tlen` bytes.
enum MACVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["l", "klen", "tlen", "msg"]) }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "NIST CAVP HMAC"
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            let hash = try record.number("L")
            tally.count("count \(record.number) of L \(hash)") {
                guard [20, 28, 32, 48, 64].contains(hash) else { throw FormatError(field: "L", reason: "of no hash that is known") }
                guard hash == 32 else { return .notApplicable("another hash than SHA-256") }
                let (key, mac) = (try record.bytes("Key"), try record.bytes("Mac"))
                guard key.count == (try record.number("Klen")) else { throw FormatError(field: "Key", reason: "not as long as Klen says") }
                guard mac.count == (try record.number("Tlen")) else { throw FormatError(field: "Mac", reason: "not as long as Tlen says") }
                return try VectorJudge.hmac(key: key, message: record.bytes("Msg"), tag: mac, byteCount: mac.count, isValid: true)
            }
        }
    }
}
