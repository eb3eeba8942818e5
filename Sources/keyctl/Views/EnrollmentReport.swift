import EnvelopeFormat

/// The enrollment document as a result: the same bytes with and without `--json`.
enum EnrollmentReport {
    static func report(of document: EnrollmentDocument) throws -> Report {
        let bytes = document.json()
        return Report(plain: bytes + [0x0A], json: try JSONValue.parse(bytes))
    }
}
