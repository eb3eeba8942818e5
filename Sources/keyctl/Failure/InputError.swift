import EnvelopeFormat

/// Input that is not as it must be, told with the file it came from.
enum InputError {
    /// Runs the body; what is wrong with the format of what it reads becomes an error of that file.
    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FormatError {
            throw CommandError(.badInput, path == "-" ? "standard input" : path, error.description)
        }
    }
}
