import CImageFixtures
import CryptoPrimitives
import DeviceEmulation
import Foundation
import ImageScaler
import Testing
import UserNotifications
import os

@testable import AppleSnippets

/// Code of the usual shape does on the stand-ins what it does on a phone.
@Suite struct SnippetTests {
    private func request(_ userInfo: [AnyHashable: Any] = [:]) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = "title"
        content.userInfo = userInfo
        return UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    }

    @Test func aServiceChangesACopy() throws {
        let delivered = Delivered()
        let request = request()
        let service = PlainService()
        service.didReceive(request, withContentHandler: delivered.handler)
        #expect(try delivered.content().title == "title [modified]" && request.content.title == "title")
        // The usual code calls the handler again when time is up.
        service.serviceExtensionTimeWillExpire()
        #expect(delivered.count == 2)
    }

    @Test func withoutItsImageTheTextIsDelivered() throws {
        // Nobody listens at port 1 of this machine.
        for userInfo in [["image_url": "http://127.0.0.1:1/a.png"], [:]] {
            let delivered = Delivered()
            let service = ImageService()
            service.didReceive(request(userInfo), withContentHandler: delivered.handler)
            let content = try delivered.content()
            #expect(content.title == "title" && content.attachments.isEmpty)
        }
    }

    @Test func anAttachmentIsKnownByTheNameOfItsFileOrByAHint() throws {
        for (name, type) in [("a.png", "public.png"), ("a.JPG", "public.jpeg"), ("a.webp", "org.webmproject.webp")] {
            let attachment = try UNNotificationAttachment(identifier: "i", url: try TemporaryFile.make(name), options: nil)
            #expect(attachment.type == type)
        }
        let nameless = try TemporaryFile.make("a")
        #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "i", url: nameless) }
        let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        #expect(try UNNotificationAttachment(identifier: "i", url: nameless, options: hint).type == "public.png")
    }

    @Test func aKeyIsReadAsItsClassAllows() throws {
        let group = "TEAMID.\(UUID().uuidString)"
        let device = try EmulatedDevice(keychainGroups: [group], appGroups: [])
        let key = Data(repeating: 7, count: 32)
        #expect(loadSymmetricKey(group: group) == nil)
        #expect(storeSymmetricKey(key, group: group) == 0 && storeSymmetricKey(key, group: group) == -25299)
        #expect(storeSymmetricKey(key, group: "another") == -34018)
        device.lockState = .locked
        let loaded = try #require(loadSymmetricKey(group: group))
        let sealed = try #require(encryptPayload("text", key: loaded))
        #expect(decryptPayload(cipherBase64: sealed.cipher, nonceBase64: sealed.nonce, tagBase64: sealed.tag, key: loaded) == "text")
        device.lockState = .beforeFirstUnlock
        #expect(loadSymmetricKey(group: group) == nil)
    }

    @Test func templatesAreReadFromTheContainer() throws {
        let group = "group.\(UUID().uuidString)"
        let device = try EmulatedDevice(keychainGroups: [], appGroups: [group])
        let url = try #require(device.containerURL(group)).appendingPathComponent("notifications-de.json")
        try Data(#"{"k":"Von {name}"}"#.utf8).write(to: url)
        let german = Locale(identifier: "de_DE")
        #expect(renderLocalized(key: "k", args: ["name": "Anna"], locale: german, group: group) == "Von Anna")
        #expect(renderLocalized(key: "k", args: [:], locale: german, group: "group.other") == "k")
    }

    @Test(.enabled(if: FileScaler.isAvailable, "built without decoders")) func aThumbnailIsSmall() throws {
        let source = URL(fileURLWithPath: try FaceImage.make(fixture_jpeg, 1_600, 800))
        let output = try #require(downsample(imageAt: source, to: 1_024))
        defer { try? FileManager.default.removeItem(at: output) }
        #expect(try FaceImage.size(output.path) == [1_024, 512])
        #expect(downsample(imageAt: source.appendingPathExtension("none"), to: 1_024) == nil)
    }

    @Test func aLineShowsWhatIsPublic() throws {
        let delivered = Delivered()
        LoggedService().didReceive(request(), withContentHandler: delivered.handler)
        _ = try delivered.content()
        let lines = EmulatedLog.lines(of: "com.example.myapp.nse")
        #expect(lines.contains { $0.hasPrefix("[delivery] default: outcome=unchanged elapsed=") && $0.hasSuffix("id=<private>") })
    }
}
