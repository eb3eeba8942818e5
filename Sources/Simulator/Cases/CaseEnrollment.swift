import EnvelopeFormat

/// Answers the cases about enrollment documents, as a backend that has no device yet.
enum CaseEnrollment {
    static func answer(_ json: JSONValue) throws(FormatError) -> [JSONMember] {
        guard let bytes = Base64.decode(try CaseFile.text(json, "document_b64")) else {
            throw FormatError(field: "document_b64", reason: "not base64")
        }
        guard let document = try? EnrollmentDocument(parsing: bytes) else {
            return [JSONMember("outcome", .string("bad-input"))]
        }
        return [
            JSONMember("outcome", .string("enrolled")), JSONMember("dkid", .string(document.thumbprint.string)),
        ]
    }
}
