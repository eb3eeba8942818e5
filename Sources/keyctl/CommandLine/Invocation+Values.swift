import EnvelopeFormat

extension Invocation {
    /// `--conversation`.
    func conversation() throws -> ConversationIdentifier { try ConversationIdentifier(try required("conversation")) }

    /// A point in time, nil when the option is not given.
    func time(_ name: String) throws(CommandError) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let seconds = Timestamp.parse(text) else {
            throw usage(
                "--\(name) is no point in time",
                hint: "write seconds since 1970, 2027-01-01, or 2027-01-01T00:00:00Z")
        }
        return seconds
    }

    /// A length of time in seconds, nil when the option is not given.
    func timeSpan(_ name: String) throws(CommandError) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let seconds = TimeSpan.seconds(text) else {
            throw usage("--\(name) is no length of time", hint: "write 30d, 12h, 45m or 10s")
        }
        return seconds
    }

    /// A whole number, nil when the option is not given.
    func wholeNumber(_ name: String) throws(CommandError) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let number = WholeNumber.parse(text) else { throw usage("--\(name) is no whole number") }
        return number
    }

    /// One of a closed set of words, nil when the option is not given.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type, among choices: [Choice] = Array(Choice.allCases)
    ) throws(CommandError) -> Choice? {
        guard let text = value(name) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            throw usage("--\(name) is none of \(choices.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }
}
