import EnvelopeFormat

/// What a file names, and is neither what is used here nor a known other thing.
enum NeitherNor {
    /// A name that is on no list.
    static func unknown(_ field: String, _ name: String) -> FormatError {
        FormatError(field: field, reason: "\(name): neither ours nor a known other one")
    }

    /// A known other name, under which stands what is ours.
    static func ours(_ field: String, _ name: String) -> FormatError {
        FormatError(field: field, reason: "\(name), and what stands there is of ours: neither that nor ours")
    }
}
