package import EnvelopeFormat

/// Reads an object whose members are all known.
package struct RequestReader {
    private let json: JSONValue
    private let outer: String

    /// - Throws: ``FormatError`` when it is no object, or naming a member that is not among `names`.
    package init(_ json: JSONValue, _ outer: String, _ names: [String]) throws(FormatError) {
        guard let members = json.members else { throw FormatError(field: outer, reason: "not an object") }
        if let unknown = members.first(where: { member in !names.contains { $0.isSame(as: member.name) } }) {
            throw FormatError(field: outer, reason: "unknown member \(Self.couldBeOurs(unknown.name) ? unknown.name : "?")")
        }
        self.json = json
        self.outer = outer
    }

    /// Whether it may be a mistyped name of ours, and is not content that got into the wrong place.
    private static func couldBeOurs(_ name: String) -> Bool {
        name.utf8.count <= 20
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    package func value(_ name: String) -> JSONValue? { json[name] }

    package func text(_ name: String) throws(FormatError) -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.text else { throw wrong(name, "not a string") }
        return text
    }

    package func integer(_ name: String) throws(FormatError) -> Int64? {
        guard let value = json[name] else { return nil }
        guard let integer = value.plainInteger else { throw wrong(name, "not a plain whole number") }
        return integer
    }

    package func flag(_ name: String) throws(FormatError) -> Bool? {
        guard let value = json[name] else { return nil }
        guard case .bool(let flag) = value else { throw wrong(name, "neither true nor false") }
        return flag
    }

    package func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _: Word.Type) throws(FormatError) -> Word? {
        guard let text = try text(name) else { return nil }
        guard let word = Word(exactly: text) else {
            throw wrong(name, "none of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    package func wrong(_ name: String, _ reason: String) -> FormatError {
        FormatError(field: outer == SealRequest.name ? name : "\(outer).\(name)", reason: reason)
    }
}
