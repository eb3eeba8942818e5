import EnvelopeFormat

/// NIST CAVP's `HMAC.rsp`: the length of the hash stands in brackets, codes are cut to `Tlen` bytes.
enum MACVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool {
        file.names.contains("klen") || file.hasOnly(["l", "count", "tlen", "key", "msg", "mac"], andOneOf: ["tlen", "mac"])
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "NIST CAVP HMAC"
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            let hash = try record.number("L")
            tally.count("count \(record.number) of L \(hash)") {
                guard [20, 28, 32, 48, 64].contains(hash) else { throw FormatError(field: "L", reason: "of no hash that is known") }
                try record.checkLines(["Klen", "Tlen", "Key", "Msg", "Mac"])
                let (key, mac) = (try record.bytes("Key"), try record.bytes("Mac"))
                guard key.count == (try record.number("Klen")) else { throw FormatError(field: "Key", reason: "not as long as Klen says") }
                guard mac.count == (try record.number("Tlen")) else { throw FormatError(field: "Mac", reason: "not as long as Tlen says") }
                guard (1...hash).contains(mac.count) else { throw FormatError(field: "Tlen", reason: "longer than L, or nothing") }
                let message = try record.bytes("Msg")
                guard hash == 32 else {
                    // Shorter ones may be the same by chance.
                    let answer =
                        (8...32).contains(mac.count)
                        ? try VectorJudge.hmac(key: key, message: message, tag: mac, byteCount: mac.count, isValid: true) : nil
                    if answer == .passed { throw NeitherNor.ours("L", "\(hash)") }
                    return .notApplicable("another hash than SHA-256")
                }
                return try VectorJudge.hmac(key: key, message: message, tag: mac, byteCount: mac.count, isValid: true)
            }
        }
    }
}
