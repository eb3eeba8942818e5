internal import CryptoPrimitives

/// One numbered change of the schema; once applied anywhere it is never edited.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String

    /// What its file is called, without the extension.
    var fileName: String {
        let digits = String(version)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "_" + name
    }

    /// SHA-256 of the SQL, in hexadecimal digits.
    var checksum: String { Hexadecimal.encode(Array(SHA256.hash(data: Array(sql.utf8)))) }
}
