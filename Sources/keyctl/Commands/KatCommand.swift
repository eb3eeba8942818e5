import EnvelopeFormat

/// `kat`: known answers, those that are built in, those of published files, and those of case files.
enum KatCommand {
    static let row = Command(
        "kat", "run known answers: built in, of published vector files, of case files",
        details: [
            "Touches no store. Without options the answers that are built in are run: they say where their bytes are from, and all "
                + "but Argon2id are also run before the first seal of a process, which seals nothing where one is wrong.",
            "With --vectors every file under DIR is looked at, at any depth, and known by what is in it: NIST CAVP's .rsp files of "
                + "AES-GCM, SHA-256 and HMAC, Wycheproof's JSON, RFC 9180's JSON, JOSE HPKE's JSON, the texts of RFC 5869 and RFC 9106, and this "
                + "project's own. A line for each file says how many cases ran, passed, were refused as they must be, failed, and "
                + "were not applicable, and why. docs/vectors.md says where the files are published.",
            "With --cases the file's keys and times are worked on. With --json one object a line, and the counts on standard error, "
                + "unless --quiet. The exit code is 0 when every case was answered, and as expected where the file says what is "
                + "expected.",
            "The exit code is 1 when anything failed, 65 when a vector file is damaged or one named .json or .rsp is of no known form, 66 when no file under DIR is one.",
        ],
        options: [
            OptionSpec("built-in", nil, "run what is built in, also beside --vectors and --cases"),
            OptionSpec("vectors", "DIR", "a folder of published vector files, or one file", isRepeatable: true, completion: .directories),
            OptionSpec("cases", "FILE", "a case file; - for standard input", isRepeatable: true, completion: .files),
        ],
        example: "kat --vectors wycheproof/testvectors_v1", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        var statuses: [ExitStatus] = []
        if invocation.has("built-in") || invocation.values("vectors").isEmpty && invocation.values("cases").isEmpty {
            statuses.append(try KatBuiltIn.run(invocation))
        }
        if !invocation.values("vectors").isEmpty { statuses.append(try KatVectors.run(invocation)) }
        // An interrupt ends all of it.
        if statuses.last != .tryAgain, !invocation.values("cases").isEmpty { statuses.append(try KatCases.run(invocation)) }
        return .silent(statuses.first { $0 == .no } ?? statuses.last { $0 != .done } ?? .done)
    }

    /// Prints a part of the result at once: there may be much of it, and it may take long.
    static func print(_ lines: [String], _ json: JSONValue, _ invocation: Invocation) throws(CommandError) {
        var report = Report(lines: lines, json: json)
        try report.print(to: invocation.console.output, asJSON: invocation.isJSON)
    }
}
