import EnvelopeFormat
import Glibc
import Sealer

/// Many seals in a row, each written to a file as soon as it is made: `START NAME PAYLOAD`, START being the monotonic
/// time in nanoseconds before the seal began and NAME what its body says.
struct SealingRun {
    /// So often the test hears how far it is.
    private static let reportEvery = 25

    private let now: Int64
    private let first: Int
    private let count: Int
    private let file: String
    private let requests: (direct: SealRequest, hpke: SealRequest)
    private let hpkeEvery: Int

    init(_ words: inout Words) throws {
        now = try words.number()
        first = Int(try words.number())
        count = Int(try words.number())
        file = try words.next()
        requests = (
            SealRequest(conversation: try ConversationIdentifier(try words.next())),
            SealRequest(conversation: try ConversationIdentifier(try words.next()))
        )
        hpkeEvery = Int(try words.number())
    }

    func run(with sealer: PushSealer) throws {
        let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WorkerError("open: errno \(errno)") }
        defer { close(descriptor) }
        for number in first..<(first + count) {
            try seal(requests.direct, "d\(number)", with: sealer, to: descriptor)
            if number % hpkeEvery == 0 { try seal(requests.hpke, "h\(number)", with: sealer, to: descriptor) }
            if number % Self.reportEvery == 0 { Answer.say("sealed \(number)") }
        }
    }

    private func seal(_ request: SealRequest, _ name: String, with sealer: PushSealer, to descriptor: Int32) throws {
        var request = request
        request.content.body = name
        let start = Answer.time
        for push in try sealer.seal(request, now: now) {
            let line = Array("\(start) \(name) ".utf8) + push.payload + [UInt8(ascii: "\n")]
            guard write(descriptor, line, line.count) == line.count else { throw WorkerError("write: errno \(errno)") }
        }
    }
}
