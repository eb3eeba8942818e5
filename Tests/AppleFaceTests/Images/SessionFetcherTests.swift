import CImageFixtures
import CryptoPrimitives
import EnvelopeFormat
import Foundation
import FoundationNetworking
import ImageScaler
import OpenerNSE
import TestSupport
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// Images by URLSession over https, from a real server that does well and badly.
@Suite struct SessionFetcherTests {
    private let server: ImageServer

    init() throws { server = try TrustedServer.shared.get() }

    private var policy: AddressPolicy {
        AddressPolicy(allowedHosts: ["localhost"], allowedPorts: [server.port], allowsOwnNetworks: true)
    }

    /// What was fetched, and why not all of it.
    private func fetch(
        _ url: String, _ policy: AddressPolicy? = nil, limit: Int = 10_000_000, within budget: Duration = .seconds(20),
        isWanted: @Sendable () -> Bool = { true }, takes: (Int) -> Bool = { _ in true }
    ) throws -> (bytes: [UInt8], failure: ImageFailure?) {
        let policy = policy ?? self.policy
        let request = ImageRequest(address: try policy.check(url), policy: policy, byteLimit: limit, budget: budget)
        var bytes: [UInt8] = []
        do throws(ImageFailure) {
            try SessionFetcher().fetch(request, isWanted: isWanted) {
                bytes += $0
                return takes(bytes.count)
            }
            return (bytes, nil)
        } catch { return (bytes, error) }
    }

    @Test(arguments: ["picture", "redirect", "picture?a=1"]) func anImageComesWhole(_ path: String) throws {
        let (bytes, failure) = try fetch(server.url(path))
        #expect(failure == nil && bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count == 70)
    }

    @Test(arguments: [
        ("404", ImageFailure.status), ("nowhere", .status), ("redirect-http", .scheme), ("redirect-private", .host),
        ("redirect-ever", .redirects), ("drop", .connection), ("long", .size), ("long-unsaid", .size),
    ]) func aServerThatDoesBadlyHasItsName(_ path: String, _ expected: ImageFailure) throws {
        let (bytes, failure) = try fetch(server.url(path))
        #expect(failure == expected && bytes.count <= 10_000_000)
        // What a redirect or an error says beside is nobody's.
        if ![.connection, .size].contains(expected) { #expect(bytes.isEmpty) }
    }

    @Test(arguments: ["slow", "silent"]) func theBudgetIsKept(_ path: String) throws {
        let start = ContinuousClock.now
        #expect(try fetch(server.url(path), within: .seconds(2)).failure == .timeout)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func whatNobodyWaitsForEnds() throws {
        let asked = Locked(0)
        let (_, failure) = try fetch(
            server.url("silent"),
            isWanted: {
                asked.with {
                    $0 += 1
                    return $0 < 3
                }
            })
        #expect(failure == .timeout && asked.with { $0 } == 3)
    }

    @Test func enoughIsNoFailure() throws {
        let (bytes, failure) = try fetch(server.url("long-unsaid"), takes: { $0 < 33 })
        #expect(failure == nil && bytes.count >= 33 && bytes.count < 1_000_000)
    }

    @Test func onlyWhoIsKnownIsAsked() throws {
        let stranger = try ImageServer()
        let lenient = AddressPolicy(allowedPorts: [1, 443, stranger.port], allowsOwnNetworks: true)
        // On Linux URLSession has no code for a certificate that is not trusted; those that it has elsewhere are below.
        let refused = try fetch(stranger.url("picture"), lenient)
        #expect(refused.failure == .connection && refused.bytes.isEmpty)
        #expect(try fetch("https://127.0.0.1:1/", lenient).failure == .connection)
        #expect(try fetch("https://nowhere.invalid/", AddressPolicy()).failure == .dns)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, ImageFailure.dns), (.dnsLookupFailed, .dns), (.timedOut, .timeout),
        (.serverCertificateUntrusted, .tls), (.serverCertificateHasBadDate, .tls), (.serverCertificateHasUnknownRoot, .tls),
        (.secureConnectionFailed, .tls), (.appTransportSecurityRequiresSecureConnection, .tls), (.unsupportedURL, .address),
        (.httpTooManyRedirects, .redirects), (.dataLengthExceedsMaximum, .size), (.networkConnectionLost, .connection),
        (.notConnectedToInternet, .connection), (.cancelled, .connection),
    ]) func whatTheSystemSaysHasAName(_ code: URLError.Code, _ expected: ImageFailure) {
        #expect(SessionTransfer.failure(URLError(code)) == expected)
    }

    /// A system may take the end of a connection for the end of the body; not where it was said to be longer.
    @Test(arguments: [(4, nil, ImageFailure.connection), (5, nil, nil), (4, "gzip", nil)] as [(Int, String?, ImageFailure?)])
    func whatIsShorterThanItSaidIsCutShort(_ count: Int, _ encoding: String?, _ expected: ImageFailure?) throws {
        let url = try #require(URL(string: server.url("picture")))
        let request = ImageRequest(address: try policy.check(url.absoluteString), policy: policy, byteLimit: 9, budget: .seconds(1))
        let transfer = SessionTransfer(request) { _ in true }
        var headers = ["Content-Length": "5"]
        headers["Content-Encoding"] = encoding
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers))
        let task = URLSession.shared.dataTask(with: url)
        transfer.urlSession(.shared, dataTask: task, didReceive: response) { #expect($0 == .allow) }
        transfer.urlSession(.shared, dataTask: task, didReceive: Data(repeating: 1, count: count))
        transfer.urlSession(.shared, task: task, didCompleteWithError: nil)
        #expect(transfer.waitForEnd(.seconds(1)))
        var failure: ImageFailure?
        if case .failure(let found) = transfer.result { failure = found }
        #expect(failure == expected)
    }

    @Test func aCookieIsNeitherKeptNorSent() throws {
        _ = try fetch(server.url("cookie"))
        let (bytes, failure) = try fetch(server.url("cookie"))
        #expect(failure == nil && String(decoding: bytes, as: UTF8.self) == "none identity")
    }

    // MARK: The extension

    /// Settings of an app that has its images on this server.
    private func settings(_ phone: FacePhone) -> OpenerSettings {
        var settings = phone.settings
        let policy = policy
        settings.images = { ImageStage.standard(in: $0, from: policy) }
        return settings
    }

    private func show(_ url: String, more: String = "", on phone: FacePhone) throws -> UNNotificationContent {
        let sealed = try phone.seal(more: #","image":{"url":"\#(url)"\#(more)}"#)
        let content = try Push.show(sealed, on: phone, settings(phone))
        #expect(content.body == "inside 0")
        return content
    }

    @Test(.enabled(if: FileScaler.isAvailable, "built without decoders")) func anExtensionAttachesASmallImage() throws {
        let phone = try FacePhone()
        try phone.provision()
        let photo = try FaceImage.make(fixture_jpeg, 4_032, 3_024, orientation: 6)
        let url = try server.serve(Array(try Data(contentsOf: URL(fileURLWithPath: photo))), as: UUID().uuidString)
        let attachment = try #require(try show(url, on: phone).attachments.first)
        #expect(attachment.type == "public.jpeg" && attachment.url.pathExtension == "jpg")
        #expect(try FaceImage.size(attachment.url.path) == [768, 1_024])
        let telemetry = try phone.app().telemetry()
        #expect(telemetry.image.succeeded == 1 && telemetry.image.failed.isEmpty)
    }

    @Test(.enabled(if: FileScaler.isAvailable, "built without decoders")) func aSealedAttachmentIsOpened() throws {
        let phone = try FacePhone()
        try phone.provision()
        let key = SymmetricKey(size: .bits256)
        let picture = try Data(contentsOf: URL(fileURLWithPath: try FaceImage.make(fixture_png, 30, 20, hasAlpha: true)))
        var sealed: [UInt8] = []
        let sealer = try AttachmentSealer(key: key)
        try picture.withUnsafeBytes { try sealer.update($0) { sealed += $0 } }
        try sealer.finish { sealed += $0 }
        let hash = Base64URL.encode(Array(SHA256.hash(data: sealed)))
        let name = Base64URL.encode(key.withUnsafeBytes { Array($0) })
        let more = #","sha256":"\#(hash)","key":"\#(name)""#
        let attachment = try #require(
            try show(try server.serve(sealed, as: UUID().uuidString), more: more, on: phone).attachments.first)
        #expect(attachment.type == "public.png")
        #expect(try FaceImage.size(attachment.url.path) == [30, 20])
    }

    @Test(arguments: [("404", ImageFailure.status), ("text", .type), ("redirect-private", .host), ("redirect-http", .scheme)])
    func textIsShownWithoutItsImage(_ path: String, _ expected: ImageFailure) throws {
        let phone = try FacePhone()
        try phone.provision()
        #expect(try show(server.url(path), on: phone).attachments.isEmpty)
        #expect(try phone.app().telemetry().image.failed == [expected: 1])
    }

    /// An app that says nothing of images has them, from hosts of the Internet.
    @Test func imagesAreThereUnlessSomebodySaysOtherwise() throws {
        let phone = try FacePhone()
        try phone.provision()
        let sealed = try phone.seal(more: #","image":{"url":"https://192.168.0.1/a.jpg"}"#)
        #expect(try Push.show(sealed, on: phone).attachments.isEmpty)
        #expect(try phone.app().telemetry().image.failed == [.network: 1])
    }
}
