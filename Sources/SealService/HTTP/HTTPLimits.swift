/// What a listener puts up with.
struct HTTPLimits: Sendable, Equatable {
    /// Bytes of a request line and its headers.
    var headBytes = 16_384
    /// Bytes of a body.
    var bodyBytes = 1 << 20
    /// Connections at a time; one more ends the one that has been idle the longest.
    var connections = 4_096
    /// From a connection's begin, or its last answer, until the head of a request is whole.
    var idleSeconds = 60.0
    /// Until a body is whole.
    var bodySeconds = 30.0
    /// Threads of the HTTP library, for each listener.
    var threads = 2
}
