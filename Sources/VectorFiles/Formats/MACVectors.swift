import EnvelopeFormat

/// NIST CAVP's `HMAC.rsp`: the length of the hash stands in brackets, codes are cut to `Tlen` bytes.
enum MACVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["l", "count", "klen", "tlen", "key", "msg", "mac"]) }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        var tally = VectorTally("NIST CAVP HMAC")
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            let hash = try record.number("L")
            try tally.count("count \(record.number) of L \(hash)") {
                guard hash == 32 else { return .notApplicable("another hash than SHA-256") }
                let (key, mac) = (try record.bytes("Key"), try record.bytes("Mac"))
                guard key.count == (try record.number("Klen")) else { throw FormatError(field: "Key", reason: "not as long as Klen says") }
                guard mac.count == (try record.number("Tlen")) else { throw FormatError(field: "Mac", reason: "not as long as Tlen says") }
                return VectorJudge.hmac(key: key, message: try record.bytes("Msg"), tag: mac, isValid: true)
            }
        }
        return tally
    }
}
