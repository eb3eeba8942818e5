import BenchmarkSupport
import EnvelopeFormat
import Glibc
import KeyStore
import Sealer

/// Seals to conversations of a small store and of a large one, in turns, so that both meet the same machine.
struct SealComparison {
    private static let rounds = 400
    private static let kept = 50_000

    let small: (store: String, names: Names)
    let large: (store: String, names: Names)

    func run() throws {
        let stores = try [small, large].map { place in
            (backend: try SealerStore(try Store.open(directory: place.store)), names: place.names)
        }
        // Nothing kept: keys read, a lease committed, as `keyctl seal` does.
        var fresh = [Latencies(), Latencies()]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<Self.rounds {
            for (index, store) in stores.enumerated() {
                let request = try request(store.names, .random(in: 0..<store.names.count, using: &random))
                try fresh[index].measure {
                    _ = try PushSealer(store.backend, leasing: .exact).seal(request, now: Int64(time(nil)))
                }
            }
        }
        show("seal, nothing kept", fresh)
        // Keys and seals at hand, in a process that stays.
        var kept = [Latencies(), Latencies()]
        let sealers = try stores.map { try PushSealer($0.backend, leasing: .doubling) }
        for number in 0..<Self.kept {
            for (index, store) in stores.enumerated() {
                let request = try request(store.names, number % 10)
                try kept[index].measure { _ = try sealers[index].seal(request, now: Int64(time(nil))) }
            }
        }
        show("seal, keys at hand", kept)
    }

    private func request(_ names: Names, _ number: Int) throws -> SealRequest {
        var request = SealRequest(conversation: try names.sealable(number))
        request.content.body = String(repeating: "0123456789", count: 20)
        return request
    }

    private func show(_ what: String, _ latencies: [Latencies]) {
        print("\(what), of \(small.names.count): \(latencies[0].description)")
        print("\(what), of \(large.names.count): \(latencies[1].description)")
        print(
            "\(what): ratio of medians \(text(latencies[1].median / latencies[0].median)), of CPU "
                + "\(text(latencies[1].cpuEach / latencies[0].cpuEach)) (aim 1.3)")
    }
}
