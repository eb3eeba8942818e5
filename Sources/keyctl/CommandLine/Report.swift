import EnvelopeFormat

/// What a command has to say: the plain form, the JSON form, and the exit code.
struct Report {
    var plain: [UInt8]
    var json: JSONValue
    var status: ExitStatus

    /// - Parameter lines: printed one a line, each made safe for a terminal.
    init(lines: [String], json: JSONValue, status: ExitStatus = .done) {
        plain = Array(lines.map { PrintableText.escape($0) + "\n" }.joined().utf8)
        self.json = json
        self.status = status
    }

    /// - Parameter plain: printed as it is.
    init(plain: [UInt8], json: JSONValue, status: ExitStatus = .done) {
        self.plain = plain
        self.json = json
        self.status = status
    }

    /// The bytes for standard output.
    func bytes(asJSON: Bool) -> [UInt8] { asJSON ? PrintableText.escape(json: json.write()) + [0x0A] : plain }
}
