import EnvelopeFormat
import Synchronization

/// One request on its way through the HTTP library: from its head to the end of its answer.
final class HTTPExchange: Sendable {
    let connection: HTTPConnection
    let task: (any HTTPTask)?
    let query: [String: String]
    let started: Double
    private let mostBytes: Int
    /// Touched on the library's thread of the connection alone. Nil where nothing is kept of it any more, or never was.
    nonisolated(unsafe) private var body: ByteWriter?
    /// The same.
    nonisolated(unsafe) private(set) var byteCount = 0
    /// Made there, or on another thread while the connection is suspended.
    private let made: Mutex<HTTPAnswer?>

    /// - Parameters:
    ///   - length: what the head says of the body's; nil where it does not.
    ///   - answer: of a request that was refused by its head.
    init(
        _ head: HTTPHead, task: (any HTTPTask)?, mostBytes: Int, length: Int? = nil, answer: HTTPAnswer? = nil, now: Double
    ) {
        connection = head.connection
        query = head.query
        self.task = task
        self.mostBytes = mostBytes
        started = now
        made = Mutex(answer)
        if answer == nil { body = ByteWriter(capacity: min(length ?? 4_096, mostBytes)) }
    }

    var answer: HTTPAnswer? { made.withLock { $0 } }

    func answer(with answer: HTTPAnswer) { made.withLock { $0 = answer } }

    /// A piece of the body. Of what is too long nothing is kept, and it is only counted.
    func take(_ piece: UnsafeRawBufferPointer) {
        byteCount += piece.count
        if byteCount > mostBytes {
            body = nil
        } else {
            body?.append(piece.bindMemory(to: UInt8.self))
        }
    }

    /// The whole body, which is not kept here any more; nil where it was too long.
    func takeBody() -> RequestBody? {
        guard let bytes = body?.bytes else { return nil }
        body = nil
        return RequestBody(bytes)
    }
}
