import EnvelopeFormat

/// A value of a row as vectors write it.
enum VectorValue: Decodable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    /// What no store writes: a number with a fraction, and a text that is not UTF-8.
    case real(Double)
    case illFormed([UInt8])

    private enum CodingKeys: String, CodingKey {
        case bytes, real, ill_formed
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: CodingKeys.self) {
            if let real = try members.decodeIfPresent(Double.self, forKey: .real) {
                self = .real(real)
                return
            }
            let isText = members.contains(.ill_formed)
            let text = try members.decode(String.self, forKey: isText ? .ill_formed : .bytes)
            guard let bytes = Base64URL.decode(text) else {
                throw DecodingError.dataCorruptedError(forKey: .bytes, in: members, debugDescription: "not base64url")
            }
            self = isText ? .illFormed(bytes) : .bytes(bytes)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    /// As a literal of SQL.
    var sql: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .text(let text): "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
        case .bytes(let bytes): "x'\(Self.digits(bytes))'"
        case .real(let real): "\(real)"
        case .illFormed(let bytes): "CAST(x'\(Self.digits(bytes))' AS TEXT)"
        }
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
