internal import CMicrohttpd
import Glibc

/// One call of the library about a request.
struct MHDRequest {
    let listener: HTTPListener
    let connection: OpaquePointer
    let state: HTTPConnection

    /// The head is there.
    func begin(url: String, method: String) -> HTTPExchange {
        let now = MonotonicClock.seconds
        if let certificates = listener.certificates, certificates.hasAuthority, state.clientName.withLock({ $0 == nil }) {
            let name = PeerCertificate.name(of: waxwing_http_tls(connection))
            state.clientName.withLock { $0 = name }
        }
        let length = header("Content-Length")
        let head = HTTPHead(
            method: method, path: RequestTarget.segments(url), query: query(), contentType: header("Content-Type"),
            contentLength: length.flatMap { Int($0) }, authorization: header("Authorization"), connection: state)
        switch listener.handler.begin(head) {
        case .take(let task, let mostBytes):
            guard (head.contentLength ?? 0) <= mostBytes else {
                return HTTPExchange(head, task: task, mostBytes: 0, answer: listener.handler.tooLarge(), now: now)
            }
            state.wait(for: .body, now: now)
            return HTTPExchange(head, task: task, mostBytes: mostBytes, length: head.contentLength, now: now)
        case .refuse(let answer, let task): return HTTPExchange(head, task: task, mostBytes: 0, answer: answer, now: now)
        }
    }

    /// Sends the answer of one that was refused by its head; others go on.
    func answered(_ exchange: HTTPExchange) -> MHD_Result {
        guard let answer = exchange.answer else { return .YES }
        state.wait(for: .nothing, now: 0)
        return queue(answer)
    }

    /// The body is whole, or the answer is.
    func complete(_ exchange: HTTPExchange) -> MHD_Result {
        state.wait(for: .nothing, now: 0)
        if let answer = exchange.answer { return queue(answer) }
        guard let task = exchange.task, let body = exchange.takeBody() else {
            let answer = listener.handler.tooLarge()
            exchange.answer(with: answer)
            return queue(answer)
        }
        // Whoever makes the answer elsewhere may be done before this thread has suspended the connection.
        let resumption = Resumption(connection)
        let now = listener.handler.answer(HTTPRequest(query: exchange.query, body: body), of: task) { answer in
            exchange.answer(with: answer)
            resumption.answered()
        }
        guard let now else {
            resumption.suspend()
            return .YES
        }
        exchange.answer(with: now)
        return queue(now)
    }

    private func queue(_ answer: HTTPAnswer) -> MHD_Result {
        let response = answer.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        if !answer.body.isEmpty { guard MHD_add_response_header(response, "Content-Type", answer.contentType) == .YES else { return .NO } }
        for header in answer.headers {
            guard MHD_add_response_header(response, header.name, header.value) == .YES else { return .NO }
        }
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }

    private func header(_ name: String) -> String? {
        MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }

    private func query() -> [String: String] {
        var found: [String: String] = [:]
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values(
                connection, .GET_ARGUMENT_KIND,
                { context, _, name, value in
                    guard let context, let name else { return .YES }
                    let member = RequestTarget.decoded(Array(String(cString: name).utf8)) ?? ""
                    let text = value.map { RequestTarget.decoded(Array(String(cString: $0).utf8)) ?? "" } ?? ""
                    context.assumingMemoryBound(to: [String: String].self).pointee[member] = text
                    return .YES
                }, found)
        }
        return found
    }
}
