/// What a listener hands requests to.
protocol HTTPHandler: Sendable {
    /// Judges the head of a request, before any of its body is taken.
    func begin(_ head: HTTPHead) -> HTTPDecision

    /// Answers a request whose body is whole, on the calling thread if it can be done at once.
    /// - Parameter later: called once, from any thread, where nil is returned.
    func answer(_ request: HTTPRequest, of task: any HTTPTask, later: @escaping @Sendable (HTTPAnswer) -> Void) -> HTTPAnswer?

    /// An answer is on its way, or the connection was lost before it.
    func ended(_ task: (any HTTPTask)?, _ answer: HTTPAnswer?, seconds: Double, byteCount: Int)

    /// A body came too slowly.
    func timedOut() -> HTTPAnswer
    /// A body was longer than the service takes.
    func tooLarge() -> HTTPAnswer
}

/// What the handler makes of a head, and gets back with the body.
protocol HTTPTask: Sendable {}

/// What becomes of a request whose head was read.
enum HTTPDecision: Sendable {
    /// Its body is read, up to so many bytes.
    case take(any HTTPTask, mostBytes: Int)
    case refuse(HTTPAnswer, (any HTTPTask)?)
}
