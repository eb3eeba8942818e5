/// What a command line says, before anything is done.
struct ParsedCommandLine: Sendable {
    /// The command, nil when only the program or a group of commands was named.
    var command: Command?
    /// The words of the command's or group's name.
    var path: [String] = []
    /// The values of each option in the order given; a flag has one empty value.
    var options: [String: [String]] = [:]
    var arguments: [String] = []

    func has(_ name: String) -> Bool { options[name] != nil }
}
