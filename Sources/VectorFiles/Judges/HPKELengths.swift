import EnvelopeFormat

/// What the numbers of a suite mean for the lengths of a vector's values: a number that does not fit them is wrong, and not that of another
/// suite. IANA's registry of HPKE, RFC 9180 section 7, and draft-ietf-hpke-pq for what is to come; there is no other number.
enum HPKELengths {
    private static let rows: [(number: String, value: String, byteCounts: [Int: Int])] = [
        (
            "kem_id", "enc",
            [
                0x0010: 65, 0x0011: 97, 0x0012: 133, 0x0013: 32, 0x0014: 48, 0x0015: 66, 0x0016: 65, 0x0020: 32, 0x0021: 56, 0x0022: 32,
                0x0030: 1_120, 0x0040: 768, 0x0041: 1_088, 0x0042: 1_568, 0x0050: 1_153, 0x0051: 1_665, 0x647A: 1_120,
            ]
        ),
        ("kdf_id", "exporter_secret", [0x0001: 32, 0x0002: 48, 0x0003: 64, 0x0010: 32, 0x0011: 64, 0x0012: 32, 0x0013: 64]),
        ("aead_id", "key", [0x0001: 16, 0x0002: 32, 0x0003: 32, 0xFFFF: 0]),
    ]

    static func check(_ vector: JSONValue) throws(FormatError) {
        let mode = try vector.integer("mode")
        guard (0...3).contains(mode) else { throw FormatError(field: "mode", reason: "there is none of that number") }
        guard (mode >= 2) == (vector["pkSm"] != nil) else { throw FormatError(field: "mode", reason: "\(mode) does not go with pkSm") }
        guard (mode % 2 == 1) == (vector["psk_id"] != nil) else {
            throw FormatError(field: "mode", reason: "\(mode) does not go with psk_id")
        }
        for row in rows {
            let number = try vector.integer(row.number)
            guard let byteCount = row.byteCounts[number] else { throw NeitherNor.unknown(row.number, "\(number)") }
            guard try vector.bytes(row.value).count == byteCount else {
                throw FormatError(field: row.number, reason: "\(number), and \(row.value) is not of \(byteCount) bytes")
            }
        }
    }
}
