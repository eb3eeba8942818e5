/// What a request is answered.
struct HTTPAnswer: Sendable {
    static let json = "application/json"

    let status: Int
    var contentType = HTTPAnswer.json
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    /// For logs and metrics: the name of the problem, nil where there was none.
    var problem: String?

    init(_ status: Int, _ body: [UInt8], contentType: String = HTTPAnswer.json) {
        self.status = status
        self.body = body
        self.contentType = contentType
    }
}
