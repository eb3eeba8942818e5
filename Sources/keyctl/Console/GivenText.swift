import Glibc

/// Text as the system hands it over: bytes that are refused unless they are UTF-8.
///
/// Swift's own view of the command line puts U+FFFD in the place of what is not, and would go on with another path.
enum GivenText {
    /// The environment's name for the store.
    static let storeVariable = "WAXWING_STORE"

    /// The words after the program's name.
    static func arguments() throws(CommandError) -> [String] {
        // The program's own name is always there; where it is not, nothing could be read.
        guard CommandLine.argc > 0 else {
            throw CommandError(
                .unavailable, "/proc/self/cmdline", "the command line cannot be read",
                hint: "mount /proc, where a program finds what it was given")
        }
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let word = String(validatingCString: bytes) else {
                throw .usage(nil, "argument \(index) is not UTF-8")
            }
            words.append(word)
        }
        return words
    }

    /// A variable of the environment; nil when it is not set.
    static func variable(_ name: String) throws(CommandError) -> String? {
        guard let bytes = getenv(name) else { return nil }
        guard let text = String(validatingCString: bytes) else { throw .usage(nil, "\(name) is not UTF-8") }
        return text
    }
}
