import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// The handler is called exactly once, whenever the system says that time is up.
@Suite struct HandlerTests {
    @Test func expiryBeforeAnyRequestIsNothing() throws {
        let phone = try FacePhone()
        try phone.provision()
        let delivered = Delivered()
        let service = FaceService()
        service.serviceExtensionTimeWillExpire()
        try FaceService.$current.withValue(phone.settings) {
            service.didReceive(Push.request(try phone.seal()), withContentHandler: delivered.handler)
        }
        #expect(try delivered.content().body == "inside 0")
        service.serviceExtensionTimeWillExpire()
        #expect(delivered.count == 1)
    }

    @Test func expiryWhileAnImageIsFetchedShowsTheText() throws {
        let phone = try FacePhone()
        try phone.provision()
        let images = HeldImages()
        var settings = phone.settings
        settings.images = { _ in images }
        let delivered = Delivered()
        let service = FaceService()
        try FaceService.$current.withValue(settings) {
            let sealed = try phone.seal(more: #","image":{"url":"https://img.example/a.jpg"}"#)
            service.didReceive(Push.request(sealed), withContentHandler: delivered.handler)
        }
        images.awaitBeginning()
        #expect(delivered.count == 0)
        service.serviceExtensionTimeWillExpire()
        #expect(try delivered.content().body == "inside 0")
        images.release()
        images.awaitEnd()
        service.serviceExtensionTimeWillExpire()
        #expect(delivered.count == 1)
    }

    @Test func oneExpiryEndsAllRequestsOfTheInstance() throws {
        let phone = try FacePhone()
        try phone.provision()
        let images = HeldImages()
        var settings = phone.settings
        settings.images = { _ in images }
        let service = FaceService()
        let all = (0..<3).map { _ in Delivered() }
        try FaceService.$current.withValue(settings) {
            for (number, delivered) in all.enumerated() {
                let sealed = try phone.seal(UInt8(number), more: #","image":{"url":"https://img.example/a.jpg"}"#)
                service.didReceive(Push.request(sealed), withContentHandler: delivered.handler)
            }
        }
        for _ in all { images.awaitBeginning() }
        service.serviceExtensionTimeWillExpire()
        for (number, delivered) in all.enumerated() { #expect(try delivered.content().body == "inside \(number)") }
        for _ in all { images.release() }
        for _ in all { images.awaitEnd() }
        #expect(all.map(\.count) == [1, 1, 1])
    }

    @Test func manyRequestsInOneInstanceAndExpiriesBetweenThem() throws {
        let phone = try FacePhone()
        try phone.provision()
        let service = FaceService()
        let all = (0..<24).map { _ in Delivered() }
        let sealed = try (0..<24).map { try phone.seal(UInt8($0)) }
        FaceService.$current.withValue(phone.settings) {
            for (number, delivered) in all.enumerated() {
                service.didReceive(Push.request(sealed[number]), withContentHandler: delivered.handler)
                if number % 5 == 4 { service.serviceExtensionTimeWillExpire() }
            }
        }
        for (number, delivered) in all.enumerated() {
            let body = try delivered.content().body
            #expect(body == "inside \(number)" || body == "New message (ours)")
        }
        service.serviceExtensionTimeWillExpire()
        #expect(all.allSatisfy { $0.count == 1 })
    }

    @Test func theSameRequestTwiceIsAnsweredTwiceAndSoundsOnce() throws {
        let phone = try FacePhone()
        try phone.provision()
        let request = Push.request(try phone.seal())
        let service = FaceService()
        let both = [Delivered(), Delivered()]
        FaceService.$current.withValue(phone.settings) {
            for delivered in both { service.didReceive(request, withContentHandler: delivered.handler) }
        }
        let contents = try both.map { try $0.content() }
        #expect(contents.map(\.body) == ["inside 0", "inside 0"])
        #expect(contents.filter { $0.sound != nil }.count == 1)
        #expect(both.map(\.count) == [1, 1])
    }
}

/// Images that begin and then wait until they are let go.
final class HeldImages: ImageAttaching {
    private let begun = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    func awaitBeginning() { begun.wait() }
    func release() { released.signal() }
    func awaitEnd() { ended.wait() }

    func attach(
        _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
    ) throws(ImageFailure) -> AttachedImage {
        begun.signal()
        defer { ended.signal() }
        released.wait()
        throw .timeout
    }
}
