/// A command line that cannot be obeyed.
struct ArgumentsError: Error, Equatable {
    let reason: String
}
