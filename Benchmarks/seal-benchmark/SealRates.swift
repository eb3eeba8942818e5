import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import Glibc
import KeyStore
import Sealer

/// Seals per second and core with a body of 200 bytes and the default padding, on a store in a temporary folder.
struct SealRates {
    private let seconds: Double
    private var algorithms = [KeyAlgorithm.dir, .hpke7]

    /// Nil for arguments that are not how long each loop runs, and perhaps the one algorithm to look at.
    init?(_ arguments: ArraySlice<String>) {
        guard arguments.count <= 2, let seconds = Double(arguments.first ?? "1") else { return nil }
        self.seconds = seconds
        guard let name = arguments.dropFirst().first else { return }
        guard let algorithm = KeyAlgorithm(exactly: name), algorithms.contains(algorithm) else { return nil }
        algorithms = [algorithm]
    }

    func run() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let time = Int64(Glibc.time(nil))
        let store = try Store.create(
            directory: folder.path + "/store",
            configuration: StoreConfiguration(role: .sealer, unlock: .keyFile(path: folder.path + "/key")), now: time)
        let backend = try SealerStore(store)
        let device = P256.KeyAgreement.PrivateKey().publicKey
        let document = try EnrollmentDocument(
            publicKey: device, enrollmentSecret: SymmetricKey(size: .bits256), name: "benchmark")
        _ = try backend.enroll(document, replaces: nil, now: time)
        for algorithm in algorithms {
            let conversation = try ConversationIdentifier("benchmark-\(algorithm.rawValue)")
            _ = try backend.provision(
                conversation, algorithm: algorithm, members: [document.thumbprint], accessible: .standard, until: nil,
                now: time)
            try measure(backend, conversation, algorithm, time)
        }
    }

    private func measure(
        _ backend: SealerStore, _ conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm, _ time: Int64
    ) throws {
        let sealer = try PushSealer(backend, leasing: .doubling)
        var request = SealRequest(conversation: conversation)
        request.content.body = String(repeating: "0123456789", count: 20)
        request.content.title = "Anna"
        let push = try sealer.seal(request, now: time)[0]
        // What of the payload is the plaintext: its length is a bucket's.
        let plaintextByteCount = 512
        let header = Array(repeating: UInt8(ascii: "x"), count: algorithm == .dir ? 102 : 200)
        let pair = Pair(name: "\(algorithm.rawValue) (\(push.byteCount) bytes)", batch: algorithm == .dir ? 5_000 : 50, seconds: seconds)
        let sealing = { guard try sealer.seal(request, now: time).count == 1 else { fatal("no payload") } }
        if algorithm == .dir {
            try pair.run(bare: BareSeal(plaintextByteCount: plaintextByteCount, header: header).seal, sealing: sealing)
        } else {
            try pair.run(bare: BareHPKE(plaintextByteCount: plaintextByteCount, header: header).seal, sealing: sealing)
        }
    }
}
