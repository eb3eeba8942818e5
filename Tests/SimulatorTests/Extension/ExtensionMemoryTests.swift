import CImageFixtures
import EnvelopeFormat
import Foundation
import ImageScaler
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import TestSupport
import Testing

@testable import Simulator

/// What an extension's process has resident at most, with its limits in force: without an image, and with photos of 12 megapixels, which
/// are made smaller where they can be. Of the rest it is known beforehand; none is killed.
///
/// Figures of an optimised build are the benchmarks'. A sanitizer needs more, and skips these.
@Suite(.enabled(if: FileScaler.isAvailable), .serialized) struct ExtensionMemoryTests {
    #if STATIC_EXTENSION
        /// Bytes at most, of a build that is not optimised: with an image, and without.
        private static let bounds = (image: 20_000_000, text: 12_000_000)
    #else
        /// Shared libraries leave the limit of the system alone to hold to.
        private static let bounds = (image: ExtensionSimulation.memoryLimit, text: 20_000_000)
    #endif
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

    private static func photo(
        _ kind: fixture_kind, _ width: UInt32 = 4_000, _ height: UInt32 = 3_000, hasAlpha: Bool = false, noise: Int32
    ) -> fixture {
        fixture(
            kind: kind, width: width, height: height, has_alpha: hasAlpha ? 1 : 0, noise: noise, orientation: 0, profile_length: 0)
    }

    private func receive(_ picture: fixture, more: String = "", languages: [String] = []) throws -> ExtensionSimulation.Result {
        let path = server.folder + "/files/photo"
        try withUnsafePointer(to: picture) { try #require(fixture_write(path, $0) == 1) }
        let json = #"{"conversation":"chat","body":"six"\#(more),"image":{"url":"\#(server.url("files/photo"))"}}"#
        let payload = try backend.sealer().seal(try SealRequest(parsing: Array(json.utf8)), now: Backend.start)[0].payload
        let result = try phone.receive(payload) { app in
            app.languages = languages
            app.authorities = server.authorities
            app.images = AddressPolicy(allowedHosts: ["localhost"], allowedPorts: [server.port], allowsOwnNetworks: true)
        }
        #expect(result.ending == .delivered && result.shown?.text == ShownText(body: "six"))
        #expect(result.peakByteCount < Self.bounds.image, "\(result.peakByteCount)")
        return result
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func aTextTakesLittle(_ algorithm: KeyAlgorithm) throws {
        let conversation = try ConversationIdentifier("texts")
        _ = try backend.store.provision(conversation, algorithm: algorithm, members: [phone.thumbprint], now: Backend.start)
        try phone.acceptBundles(from: backend.store)
        let request = try SealRequest(parsing: Array(#"{"conversation":"texts","body":"six"}"#.utf8))
        let result = try phone.receive(try backend.sealer().seal(request, now: Backend.start)[0].payload)
        #expect(result.ending == .delivered && result.shown?.text == ShownText(body: "six"))
        #expect(result.peakByteCount > 0 && result.peakByteCount < Self.bounds.text, "\(result.peakByteCount)")
    }

    @Test(arguments: [
        photo(fixture_jpeg, noise: 20), photo(fixture_png, noise: 3), photo(fixture_webp, noise: 10), photo(fixture_gif, noise: 10),
    ]) func aPhotoIsAttachedSmaller(_ picture: fixture) throws {
        let result = try receive(picture)
        let image = try #require(result.shown?.attachment, "\(result.events.map(\.event))")
        #expect(image.unscaled == nil && image.path.hasSuffix(".\(image.type.fileExtension)"))
        var size: (width: UInt32, height: UInt32) = (0, 0)
        free(fixture_read(image.path, &size.width, &size.height))
        #expect(size == (1_024, 768))
    }

    /// Of kinds that are held whole, about the largest that the plan still has made smaller.
    @Test(arguments: [
        photo(fixture_jpeg_progressive, 800, 600, noise: 20), photo(fixture_png_interlaced, 900, 800, noise: 9),
        photo(fixture_gif_interlaced, 1_300, 1_000, noise: 9), photo(fixture_webp_lossless, 700, 600, hasAlpha: true, noise: 20),
        photo(fixture_png, 2_000, 1_500, hasAlpha: true, noise: 3),
    ]) func whatIsAllowedFits(_ picture: fixture) throws {
        let result = try receive(picture)
        #expect(try #require(result.shown?.attachment, "\(result.events.map(\.event))").unscaled == nil)
    }

    /// Templates as large as they may be, of nothing but short keys, and none of them the one that is asked for: what it took to read them
    /// is there for the image again.
    @Test func templatesLeaveRoomForTheImage() throws {
        let languages = ["de", "fr", "it"]
        var text = #"{"k0":{"other":"a"}"#
        for number in 1... {
            let more = #","k\#(String(number, radix: 36))":{"other":"a"}"#
            guard text.utf8.count + more.utf8.count < 32 << 10 else { break }
            text += more
        }
        let templates = Templates(try ContainerDirectory(phone.container), languages: [])
        for language in languages { try templates.write(Array((text + "}").utf8), language: language) }
        let picture = Self.photo(fixture_jpeg_progressive, 800, 600, noise: 20)
        let asked = #","loc_body":{"key":"no","args":{}}"#
        #expect(try #require(try receive(picture, more: asked, languages: languages).shown?.attachment).unscaled == nil)
    }

    @Test(arguments: [
        (photo(fixture_jpeg_progressive, noise: 20), ImageType.jpeg), (photo(fixture_png_interlaced, noise: 0), .png),
        (photo(fixture_gif_interlaced, noise: 5), .gif), (photo(fixture_webp_lossless, noise: 0), .webp),
        (photo(fixture_heic, noise: 0), .heic),
    ]) func whatCannotBeMadeSmallerIsAttachedAsItCame(_ picture: fixture, _ type: ImageType) throws {
        let result = try receive(picture)
        let image = try #require(result.shown?.attachment)
        #expect(image.unscaled != nil && image.type == type)
        let name = server.folder + "/files/photo"
        #expect(FileManager.default.contentsEqual(atPath: image.path, andPath: name))
        #expect(result.events.map(\.event).contains(.image(.succeeded(unscaled: image.unscaled))))
    }

    /// More than the system takes, of which the header tells one and the length the other.
    @Test(arguments: [
        (photo(fixture_jpeg_progressive, 6_000, 5_000, noise: 0), ImageFailure.overBudget), (photo(fixture_png, noise: 12), .size),
    ]) func whatTheSystemWouldNotTakeIsLeftOut(_ picture: fixture, _ failure: ImageFailure) throws {
        let result = try receive(picture)
        #expect(result.shown?.attachment == nil && result.events.map(\.event).contains(.image(.failed(failure))))
    }
}
