import EnvelopeFormat

/// What a command has to say: the plain form, the JSON form, and the exit code.
struct Report {
    private var plain: [UInt8]
    private let terminator: [UInt8]
    /// Nil where the plain form is JSON already.
    private let json: JSONValue?
    let status: ExitStatus

    /// - Parameter lines: printed one a line, each made safe for a terminal.
    init(lines: [String], json: JSONValue, status: ExitStatus = .done) {
        self.init(plain: Array(lines.map { PrintableText.escape($0) + "\n" }.joined().utf8), json: json, status: status)
    }

    /// - Parameter plain: printed as it is.
    init(plain: [UInt8], json: JSONValue, status: ExitStatus = .done) {
        self.plain = plain
        terminator = []
        self.json = json
        self.status = status
    }

    /// - Parameter document: one JSON object that is the result in both forms; it may hold secrets.
    init(document: [UInt8]) {
        plain = document
        terminator = [0x0A]
        json = nil
        status = .done
    }

    private init(done status: ExitStatus) {
        plain = []
        terminator = []
        json = nil
        self.status = status
    }

    /// Nothing is left to print.
    static func silent(_ status: ExitStatus) -> Report { Report(done: status) }

    /// Prints the report and wipes it.
    mutating func print(to output: Output, asJSON: Bool) throws(CommandError) {
        defer { SecretBytes.wipe(&plain) }
        if asJSON, let json {
            try output.write(PrintableText.escape(json: json.write()) + [0x0A])
        } else {
            try output.write(plain)
            try output.write(terminator)
        }
    }
}
