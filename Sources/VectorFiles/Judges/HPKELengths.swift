import EnvelopeFormat

/// What the numbers of a suite mean for the lengths of a vector's values (RFC 9180 section 7): a number that does not fit them is wrong,
/// and not that of another suite.
enum HPKELengths {
    private static let rows: [(number: String, value: String, byteCounts: [Int: Int])] = [
        ("kem_id", "enc", [0x0010: 65, 0x0011: 97, 0x0012: 133, 0x0020: 32, 0x0021: 56]),
        ("kdf_id", "exporter_secret", [0x0001: 32, 0x0002: 48, 0x0003: 64]),
        ("aead_id", "key", [0x0001: 16, 0x0002: 32, 0x0003: 32, 0xFFFF: 0]),
    ]

    static func check(_ vector: JSONValue) throws(FormatError) {
        guard (0...3).contains(try vector.integer("mode")) else { throw FormatError(field: "mode", reason: "there is none of that number") }
        for row in rows {
            let number = try vector.integer(row.number)
            // Those of elsewhere have lengths of their own, which are not known here.
            guard let byteCount = row.byteCounts[number] else { continue }
            guard try vector.bytes(row.value).count == byteCount else {
                throw FormatError(field: row.number, reason: "\(number), and \(row.value) is not of \(byteCount) bytes")
            }
        }
    }
}
