/// What a shell offers for an argument or an option's value.
enum Completion: Sendable, Equatable {
    case nothing
    case files
    case directories
    case words([String])
}
