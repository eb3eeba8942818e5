internal import CryptoPrimitives

/// One numbered change of the schema; once applied anywhere it is never edited.
struct Migration: Sendable {
    let version: Int
    let name: String
    let sql: String

    /// SHA-256 of the SQL, in hexadecimal digits.
    var checksum: String { Hexadecimal.encode(Array(SHA256.hash(data: Array(sql.utf8)))) }
}
