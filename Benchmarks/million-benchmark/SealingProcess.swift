import EnvelopeFormat
import Glibc
import KeyStore
import Sealer

/// A process that stays up and seals to one conversation after another, two hundred times a second, until a file appears;
/// then it says how long the seals took.
struct SealingProcess {
    private static let pause: useconds_t = 5_000

    let store: String
    let names: Names
    let stop: String

    func run() throws {
        let sealer = try PushSealer(try SealerStore(try Store.open(directory: store)), leasing: .doubling)
        var latencies = Latencies()
        var random = SystemRandomNumberGenerator()
        while access(stop, F_OK) != 0 {
            var request = SealRequest(conversation: try names.sealable(.random(in: 0..<names.count, using: &random)))
            request.content.body = "sealed meanwhile"
            let now = Int64(time(nil))
            try latencies.measure { _ = try sealer.seal(request, now: now) }
            usleep(Self.pause)
        }
        print(latencies.description)
    }
}
