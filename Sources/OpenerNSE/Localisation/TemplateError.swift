/// A file of templates that is refused: which, under which of its keys, and why. It never holds a text of the file.
public struct TemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// nil where it is not about one key.
    public let key: String?
    public let reason: String

    init(file: String, key: String? = nil, reason: String) {
        self.file = file
        self.key = key
        self.reason = reason
    }

    public var description: String { "\(file): \(key.map { "\($0): " } ?? "")\(reason)" }
}
