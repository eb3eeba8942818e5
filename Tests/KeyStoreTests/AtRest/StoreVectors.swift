import EnvelopeFormat
import Foundation
import TestSupport
import Testing

/// `Tests/Vectors/at-rest.json` and `audit.json`, made by another implementation (docs/spec/at-rest.md, section 15).
struct StoreVectors: Decodable, Sendable {
    struct Unlock: Decodable, Sendable {
        let key_file, passphrase: String?
    }

    struct Expectation: Decodable, Sendable {
        let outcome: String
        let at, names: String?
        let rows: Int?
        let secrets: [String: String]?
        let entry, entries: Int64?
        let unchecked: [String]?
    }

    struct Document: Decodable, Sendable {
        let unlock: Unlock
        let expect: Expectation?
        let tables: [String: [[String: VectorValue]]]
    }

    struct Change: Decodable, Sendable {
        let table: String
        let row, remove: String?
        let set, add: [String: VectorValue]?
    }

    /// In decimal digits.
    struct Generation: Decodable, Sendable {
        let committed, started, completed: String
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id, about, store: String
        let rule: String?
        let changes: [Change]?
        let unlock: Unlock?
        let without: [String]?
        let open, sql, anchor, key, checkpoint: String?
        let generation: Generation?
        let expect: Expectation

        var testDescription: String { "\(id) \(rule ?? ""): \(about)" }
    }

    let format: String
    let count: Int
    let stores: [String: Document]
    let cases: [Case]

    /// - Parameter name: of a file of `Tests/Vectors`, without its extension.
    init(_ name: String) throws {
        let url = ProjectFolder.root.appendingPathComponent("Tests/Vectors/\(name).json")
        self = try JSONDecoder().decode(StoreVectors.self, from: Data(contentsOf: url))
        try #require(format == "waxwing-\(name)/1" && count == cases.count && count > 50)
    }
}
