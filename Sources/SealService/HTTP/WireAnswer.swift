/// An answer as it is sent where the HTTP library cannot be asked to: whole, and the connection ends behind it.
enum WireAnswer {
    static func bytes(of answer: HTTPAnswer) -> [UInt8] {
        var head = "HTTP/1.1 \(answer.status) \(reason(answer.status))\r\nConnection: close\r\nContent-Type: \(answer.contentType)\r\n"
        head += "Content-Length: \(answer.body.count)\r\n"
        for header in answer.headers { head += "\(header.name): \(header.value)\r\n" }
        return Array((head + "\r\n").utf8) + answer.body
    }

    private static func reason(_ status: Int) -> String { status == 408 ? "Request Timeout" : "Error" }
}
