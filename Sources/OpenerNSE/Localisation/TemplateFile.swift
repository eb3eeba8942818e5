import EnvelopeFormat

/// A file of templates, read and found to be one from beginning to end.
struct TemplateFile: Sendable {
    /// The most bytes of a file: read, it takes up to some twenty-five times of them, which have to fit into an extension besides everything
    /// else, an image's decoder among it.
    static let byteLimit = 32 << 10
    /// How long a key may be, in bytes of UTF-8.
    static let keyByteCounts = 1...256

    private let members: [JSONMember]

    /// - Parameter name: the file's, for the error.
    init(_ bytes: [UInt8], name: String) throws(TemplateError) {
        guard bytes.count <= Self.byteLimit else { throw Self.tooLarge(bytes.count, name: name) }
        let json: JSONValue
        do { json = try JSONValue.parse(bytes) } catch {
            throw TemplateError(file: name, reason: "no strict JSON: \(error.reason)")
        }
        guard case .object(let members) = json else { throw TemplateError(file: name, reason: "not an object") }
        for (index, member) in members.enumerated() {
            guard Self.keyByteCounts.contains(member.name.utf8.count), !member.name.unicodeScalars.contains(where: \.isControl) else {
                let reason = "key number \(index + 1) is not 1 to \(Self.keyByteCounts.upperBound) bytes without control characters"
                throw TemplateError(file: name, reason: reason)
            }
            do throws(TemplateFlaw) { _ = try Template(member.value) } catch {
                throw TemplateError(file: name, key: member.name, reason: error.reason)
            }
        }
        self.members = members
    }

    /// What the key stands for, compared code point by code point.
    subscript(key: String) -> Template? {
        members.first { $0.name.isSame(as: key) }.flatMap { try? Template($0.value) }
    }

    static func tooLarge(_ byteCount: Int, name: String) -> TemplateError {
        TemplateError(file: name, reason: "\(byteCount) bytes, more than \(byteLimit)")
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
