import CryptoPrimitives
import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import TestSupport
import Testing

@testable import Simulator

/// Images over https from a real server that does well and badly: each has its outcome, and the text is shown in any case.
@Suite struct ImageFetchTests {
    private let backend: Backend
    private let phone: ReceivingPhone
    private let server: ImageServer

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("one", with: backend.store)
        server = try ImageServer()
        _ = try backend.store.provision(
            try ConversationIdentifier("chat"), algorithm: .dir, members: [phone.thumbprint], now: Backend.start)
        try phone.acceptBundles(from: backend.store)
    }

    /// Receives a message with that image.
    private func receive(
        _ url: String, hash: String? = nil, key: String? = nil, timeScale: Int = 1,
        _ change: (inout SimulatedApp) -> Void = { _ in }
    ) throws -> ExtensionSimulation.Result {
        let more = (hash.map { #","sha256":"\#($0)""# } ?? "") + (key.map { #","key":"\#($0)""# } ?? "")
        let json = #"{"conversation":"chat","body":"six","image":{"url":"\#(url)"\#(more)}}"#
        let payload = try backend.sealer().seal(try SealRequest(parsing: Array(json.utf8)), now: Backend.start)[0].payload
        let result = try phone.receive(payload) { app in
            app.authorities = server.authorities
            app.images = AddressPolicy(allowedHosts: ["localhost"], allowedPorts: [server.port], allowsOwnNetworks: true)
            app.timeScale = timeScale
            change(&app)
        }
        #expect(result.ending == .delivered && result.shown?.text == ShownText(body: "six"))
        return result
    }

    private func failure(_ result: ExtensionSimulation.Result) -> ImageFailure? {
        result.events.lazy.compactMap { line in
            if case .image(.failed(let failure)) = line.event { failure } else { nil }
        }.first
    }

    @Test(arguments: ["picture", "redirect", "picture?a=1"]) func anImageIsAttachedByWhatItIs(_ path: String) throws {
        let result = try receive(server.url(path))
        let image = try #require(result.shown?.attachment)
        #expect(image.type == .png && image.path.hasSuffix(".png") && failure(result) == nil)
        #expect(FileManager.default.fileExists(atPath: image.path))
    }

    @Test(arguments: [
        ("text", ImageFailure.type), ("404", .status), ("nowhere", .status), ("redirect-http", .scheme),
        ("redirect-private", .host), ("redirect-ever", .redirects), ("drop", .connection), ("long", .size),
        ("long-unsaid", .size),
    ]) func aServerThatDoesBadlyCostsTheImage(_ path: String, _ expected: ImageFailure) throws {
        // With a hash the whole of it is wanted, whatever its beginning says.
        let hash = path == "long-unsaid" ? Base64URL.encode([UInt8](repeating: 1, count: 32)) : nil
        let result = try receive(server.url(path), hash: hash)
        #expect(result.shown?.attachment == nil && failure(result) == expected, "\(String(describing: failure(result)))")
        #expect(result.elapsed < .seconds(25))
    }

    /// The best attempt is delivered by the extension's own clock, of which five seconds are one here.
    @Test(arguments: ["slow", "silent"]) func whatIsTooSlowIsDeliveredWithout(_ path: String) throws {
        let result = try receive(server.url(path), timeScale: 5)
        #expect(result.shown?.attachment == nil && result.shown?.base == .claims)
        #expect(result.elapsed >= .seconds(20) && result.elapsed < .seconds(30))
    }

    /// What was not made smaller, and what went without since it cannot be, is told with the reason.
    @Test func theEventsSayWhatWasNotScaled() throws {
        func events(_ file: [UInt8], _ name: String) throws -> (image: AttachedImage?, events: [TelemetryEvent]) {
            let result = try receive(try server.serve(file, as: name))
            return (result.shown?.attachment, result.events.map(\.event))
        }
        let moving =
            Array("GIF89a".utf8) + [9, 0, 9, 0, 0, 0, 0, 0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            + [0x2C, 0, 0, 0, 0, 9, 0, 9, 0, 0, 2, 1, 0, 0, 0x3B]
        let small = try events(moving, "moving")
        #expect(small.image?.unscaled == .moving && small.events.contains(.image(.succeeded(unscaled: .moving))))
        // 6,000 by 5,000 pixels in passes: no decoder has room for it, nor does the system take it.
        let size: [UInt8] = [0, 0, 0x17, 0x70, 0, 0, 0x13, 0x88, 8, 2, 0, 0, 1]
        let interlaced =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + [0, 0, 0, 0, 0, 0, 0, 9]
            + Array("IDAT".utf8) + [UInt8](repeating: 0, count: 13)
        let large = try events(interlaced, "interlaced")
        let failures: [ImageFailure] = [.overBudget, .noDecoder]
        #expect(large.image == nil && failures.contains { large.events.contains(.image(.failed($0))) }, "\(large.events)")
        // Where nothing is built in that could, the smallest goes as it is, and that is told too.
        let picture = try receive(server.url("picture"))
        let unscaled = try #require(picture.shown?.attachment).unscaled
        #expect(unscaled == nil || unscaled == .noDecoder)
        #expect(picture.events.map(\.event).contains(.image(.succeeded(unscaled: unscaled))))
    }

    /// Where queue and images cannot be, the text is shown all the same.
    @Test func aContainerThatCannotBeWrittenCostsTheImage() throws {
        let result = try receive(server.url("picture")) { app in
            try? FileManager.default.createDirectory(atPath: app.container, withIntermediateDirectories: true)
            for name in ["queue", "images"] { _ = FileManager.default.createFile(atPath: app.container + "/" + name, contents: nil) }
        }
        #expect(result.shown?.base == .claims && result.shown?.attachment == nil)
    }

    @Test func onlyWhoIsKnownIsAsked() throws {
        let url = server.url("picture")
        #expect(failure(try receive(url) { $0.authorities = nil }) == .tls)
        #expect(failure(try receive(url) { $0.images.allowsOwnNetworks = false }) == .network)
        #expect(failure(try receive(url) { $0.images.allowedHosts = ["example.com"] }) == .host)
        #expect(failure(try receive(url) { $0.images.allowedPorts = [443] }) == .port)
        #expect(
            failure(try receive("https://127.0.0.1:1/") { $0.images = AddressPolicy(allowedPorts: [1], allowsOwnNetworks: true) })
                == .connection)
        #expect(failure(try receive("https://nowhere.invalid/") { $0.images = AddressPolicy() }) == .dns)
    }

    /// A name may lead anywhere: what it led to is looked at before anything is sent.
    @Test func theAddressThatIsConnectedToIsLookedAt() throws {
        let lenient = AddressPolicy(allowedPorts: [server.port], allowsOwnNetworks: true)
        let address = try lenient.check(server.url("picture"))
        let strict = AddressPolicy(allowedPorts: [server.port])
        let request = ImageRequest(address: address, policy: strict, byteLimit: 1_000, budget: .seconds(5))
        #expect(throws: ImageFailure.network) {
            try CurlFetcher(authorities: server.authorities).fetch(request, isWanted: { true }, into: { _ in true })
        }
    }

    @Test func theHashIsOfTheBytesAsFetched() throws {
        let file = Array("not an image, but of this hash".utf8)
        let right = Base64URL.encode(Array(SHA256.hash(data: file)))
        let url = try server.serve(file, as: "file")
        #expect(failure(try receive(url, hash: right)) == .type)
        #expect(failure(try receive(url, hash: Base64URL.encode([UInt8](repeating: 1, count: 32)))) == .hash)
    }

    @Test func aSealedAttachmentIsOpened() throws {
        let key = SymmetricKey(size: .bits256)
        let name = Base64URL.encode(key.withUnsafeBytes { Array($0) })
        let picture = try #require(Base64.decode(Self.picture))
        var sealed: [UInt8] = []
        let sealer = try AttachmentSealer(key: key)
        try picture.withUnsafeBytes { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        let hash = Base64URL.encode(Array(SHA256.hash(data: sealed)))
        let shown = try receive(try server.serve(sealed, as: "sealed"), hash: hash, key: name).shown
        let path = try #require(shown?.attachment?.path)
        // Opened, and then written anew without what an image has beside its pixels.
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).starts(with: picture.prefix(8)))
        sealed[sealed.count - 1] ^= 1
        #expect(failure(try receive(try server.serve(sealed, as: "edited"), key: name)) == .seal)
        #expect(failure(try receive(try server.serve(picture, as: "plain"), key: name)) == .seal)
    }

    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}
