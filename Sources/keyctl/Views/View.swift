import EnvelopeFormat

/// A thing of a store as it is shown: lines for people, JSON for scripts.
struct View {
    let lines: [String]
    let json: JSONValue

    /// The view as a command's whole report.
    var report: Report { report(.done) }

    func report(_ status: ExitStatus) -> Report { Report(lines: lines, json: json, status: status) }

    /// The thing is not there.
    static func absent(_ what: String) -> View { View(lines: ["no \(what)"], json: .null) }
}
