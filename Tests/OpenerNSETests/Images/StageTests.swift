import CryptoPrimitives
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

/// From an address to a file that is attached.
struct StageTests {
    private let path = NSTemporaryDirectory() + "waxwing-stage-\(UUID().uuidString)"
    private static let url = "https://cdn.example.com/image.png"
    private static let photo = ImageBytes.png(4000, 3000) + [UInt8](repeating: 1, count: 5000)
    private static let heic = ImageBytes.heic() + ImageBytes.box("mdat", [UInt8](repeating: 1, count: 5000))

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private static func claim(_ hashed: [UInt8]? = nil, key: SymmetricKey? = nil, url: String = url) throws -> ImageSource {
        .claimed(
            try ImageReference(url: url, sha256: hashed.map { Array(SHA256.hash(data: $0)) }, key: key))
    }

    private func attach(
        _ source: ImageSource, _ fetcher: ScriptedFetcher, scaler: ScriptedScaler? = ScriptedScaler(),
        limits: ImageLimits = ImageLimits(), budget: Duration = .seconds(20), isWanted: @Sendable () -> Bool = { true }
    ) throws(ImageFailure) -> AttachedImage {
        let stage: ImageStage
        do {
            stage = try ImageStage(directory: path, fetcher: fetcher, scaler: scaler, limits: limits)
        } catch { throw .storage }
        return try stage.attach(source, within: budget, isWanted: isWanted)
    }

    private func content(_ image: AttachedImage) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: image.path))) }

    @Test func scaled() throws {
        let scaler = ScriptedScaler()
        let image = try attach(.clear(url: Self.url), ScriptedFetcher(Self.photo), scaler: scaler)
        #expect(image.type == .jpeg)
        #expect(image.unscaled == nil)
        #expect(try content(image) == Array("smaller".utf8))
        #expect(try names() == [URL(fileURLWithPath: image.path).lastPathComponent])
        #expect(scaler.all.map(\.header) == [ImageHeader(type: .png, width: 4000, height: 3000)])
        #expect(scaler.all.map(\.longestSide) == [1024])
        #expect(try #require(scaler.all.first).budget <= .seconds(20))
    }

    /// By its content, whatever the address calls it.
    @Test(arguments: [ScriptedScaler(), nil])
    func unscaled(scaler: ScriptedScaler?) throws {
        let image = try attach(Self.claim(Self.heic), ScriptedFetcher(Self.heic), scaler: scaler)
        #expect(image == AttachedImage(path: image.path, type: .heic, unscaled: .noDecoder))
        #expect(image.path.hasSuffix(".heic"))
        #expect(try content(image) == Self.heic)
        #expect(try names() == [URL(fileURLWithPath: image.path).lastPathComponent])
    }

    @Test(arguments: [1, 7, 4096, 100_000])
    func sealed(pieceLength: Int) throws {
        let sealed = try SealedImage.seal(Self.heic)
        let image = try attach(Self.claim(sealed, key: SealedImage.key), ScriptedFetcher(sealed, by: pieceLength))
        #expect(try content(image) == Self.heic)
        #expect(try names().count == 1)
    }

    @Test func neverUnopened() throws {
        // An image in the clear that claims to be sealed.
        let fetcher = ScriptedFetcher(Self.heic)
        #expect(throws: ImageFailure.seal) { try attach(Self.claim(key: SealedImage.key), fetcher) }
        #expect(throws: ImageFailure.seal) { try attach(Self.claim(Self.heic, key: SealedImage.key), fetcher) }
        // Nor one that is sealed with another key, or cut.
        let sealed = try SealedImage.seal(Self.heic)
        let other = SymmetricKey(data: [UInt8](repeating: 6, count: 32))
        #expect(throws: ImageFailure.seal) { try attach(Self.claim(key: other), ScriptedFetcher(sealed)) }
        #expect(throws: ImageFailure.seal) { try attach(Self.claim(key: SealedImage.key), ScriptedFetcher(Array(sealed.dropLast()))) }
        #expect(try names().isEmpty)
    }

    /// The hash is looked at before anything is opened or decoded.
    @Test func hashFirst() throws {
        let scaler = ScriptedScaler()
        #expect(throws: ImageFailure.hash) { try attach(Self.claim([1]), ScriptedFetcher(Self.photo), scaler: scaler) }
        #expect(throws: ImageFailure.hash) { try attach(Self.claim([1]), ScriptedFetcher(Array("no image at all".utf8))) }
        #expect(throws: ImageFailure.hash) { try attach(Self.claim([1]), ScriptedFetcher([])) }
        #expect(throws: ImageFailure.hash) { try attach(Self.claim([1], key: SealedImage.key), ScriptedFetcher([1, 2, 3])) }
        // Of what opens: it is over what was fetched.
        #expect(throws: ImageFailure.hash) {
            try attach(Self.claim(Self.heic, key: SealedImage.key), ScriptedFetcher(try SealedImage.seal(Self.heic)))
        }
        #expect(scaler.all.isEmpty)
        #expect(try names().isEmpty)
    }

    @Test func endsEarly() throws {
        let page = Array("<!DOCTYPE html><html>".utf8) + [UInt8](repeating: 32, count: 1_000_000)
        let fetcher = ScriptedFetcher(page, failure: .connection)
        #expect(throws: ImageFailure.type) { try attach(.clear(url: Self.url), fetcher) }
        #expect(fetcher.count == 1000)
        let bomb = ScriptedFetcher(ImageBytes.png(65_535, 65_535) + page)
        #expect(throws: ImageFailure.overBudget) { try attach(.clear(url: Self.url), bomb) }
        #expect(bomb.count == 1000)
        // What may be sealed or has a hash is fetched whole.
        let hashed = ScriptedFetcher(page)
        #expect(throws: ImageFailure.type) { try attach(Self.claim(page), hashed) }
        #expect(hashed.count == page.count)
        #expect(try names().isEmpty)
    }

    @Test func countedWhileItComes() throws {
        let large = Self.photo + [UInt8](repeating: 0, count: 30_000_000)
        let fetcher = ScriptedFetcher(large, by: 100_000)
        #expect(throws: ImageFailure.size) { try attach(.clear(url: Self.url), fetcher) }
        #expect(fetcher.count <= 10_100_000)
        var limits = ImageLimits()
        limits.fetchedByteCount = Self.heic.count
        _ = try attach(.clear(url: Self.url), ScriptedFetcher(Self.heic), limits: limits)
        limits.fetchedByteCount -= 1
        #expect(throws: ImageFailure.size) { try attach(.clear(url: Self.url), ScriptedFetcher(Self.heic), limits: limits) }
        #expect(try names().count == 1)
    }

    @Test(arguments: ImageFailure.allCases)
    func failuresLeaveNothing(failure: ImageFailure) throws {
        #expect(throws: failure) { try attach(.clear(url: Self.url), ScriptedFetcher(Self.photo, failure: failure)) }
        #expect(throws: failure) {
            try attach(.clear(url: Self.url), ScriptedFetcher(Self.photo), scaler: ScriptedScaler(failure: failure))
        }
        #expect(try names().isEmpty)
    }

    @Test func refusedBeforeItIsFetched() throws {
        let fetcher = ScriptedFetcher(Self.photo)
        for (url, rule) in [
            ("http://cdn.example.com/x", ImageFailure.scheme), ("https://127.0.0.1/x", .network), ("https://a@cdn.example.com/", .user),
            ("https://[::1]/", .network),
        ] {
            #expect(throws: rule) { try attach(.clear(url: url), fetcher) }
        }
        #expect(fetcher.requests.isEmpty)
        #expect(throws: ImageFailure.network) { try attach(Self.claim(url: "https://10.1.2.3/x"), fetcher) }
        _ = try attach(Self.claim(url: "https://CDN.example.com/x#y"), fetcher)
        #expect(fetcher.requests == ["cdn.example.com/x"])
    }

    @Test func endsWhenNobodyWaits() throws {
        #expect(throws: ImageFailure.timeout) { try attach(.clear(url: Self.url), ScriptedFetcher(Self.photo), budget: .zero) }
        let sealed = try SealedImage.seal(Self.photo)
        // At whichever question nobody waits any more.
        for last in 0..<40 {
            let questions = Mutex(0)
            let claim = try Self.claim(key: SealedImage.key)
            do throws(ImageFailure) {
                let image = try attach(claim, ScriptedFetcher(sealed)) {
                    questions.withLock { count in
                        count += 1
                        return count <= last
                    }
                }
                #expect(last >= 8)
                try? FileManager.default.removeItem(atPath: image.path)
            } catch {
                #expect(error == .timeout)
            }
            #expect(try names().isEmpty)
        }
    }

    @Test func leftovers() throws {
        _ = try? attach(.clear(url: Self.url), ScriptedFetcher([]))
        for (name, age) in [("old.part", 700.0), ("older.jpg", 1e8), ("future.part", -700), ("new.part", 300), ("newer.png", 0)] {
            let file = path + "/" + name
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file)
        }
        #expect(throws: ImageFailure.decoding) { try attach(.clear(url: Self.url), ScriptedFetcher(Array(Self.photo.prefix(20)))) }
        #expect(try names() == ["new.part", "newer.png"])
    }
}
