import KeyStore

/// The head of a request: what is known before its body.
struct HTTPHead: Sendable {
    let method: String
    let path: [String]?
    let query: [String: String]
    let contentType: String?
    let contentLength: Int?
    let authorization: String?
    let connection: HTTPConnection

    /// Whether the body is `application/json`, with or without parameters.
    var isJSON: Bool {
        guard let contentType else { return false }
        let name = contentType.prefix { $0 != ";" && $0 != " " }
        return name.lowercased().utf8.elementsEqual(HTTPAnswer.json.utf8)
    }
}
