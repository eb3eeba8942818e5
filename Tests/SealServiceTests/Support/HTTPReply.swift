import EnvelopeFormat

/// An answer as it came.
struct HTTPReply {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var json: JSONValue { (try? JSONValue.parse(body, maximumDepth: 64)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// What the `type` of a problem ends with.
    var problem: String? { json["type"]?.text.map { String($0.split(separator: ":").last ?? "") } }

    /// Takes a whole answer from the beginning of what was read; nil where it is not whole yet.
    init?(taking bytes: inout [UInt8], hasBody: Bool) {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count > end.count, let at = (0...bytes.count - end.count).first(where: { Array(bytes[$0..<$0 + 4]) == end }) else {
            return nil
        }
        let lines = String(decoding: bytes[..<at], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description }
        }
        let count = hasBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0
        guard bytes.count >= at + 4 + count else { return nil }
        self.status = status
        self.headers = headers
        body = Array(bytes[at + 4..<at + 4 + count])
        bytes.removeFirst(at + 4 + count)
    }
}
