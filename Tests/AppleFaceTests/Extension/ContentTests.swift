import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// What is shown is from the seal or from the app, and of what came outside four things at most stay.
@Suite struct ContentTests {
    private static let mayStay: Set<String> = ["sound", "badge", "interruptionLevel", "relevanceScore"]

    private func stays(_ content: UNNotificationContent, of received: UNNotificationContent) -> Set<String> {
        let came = received.emulatedFields
        return Set(content.emulatedFields.filter { came[$0.key] == $0.value }.keys)
    }

    @Test func theHostileContentSetsEveryProperty() {
        let fresh = UNNotificationContent().emulatedFields
        #expect(stays(UNNotificationContent(), of: Push.content("x")).isEmpty)
        #expect(fresh.count == 16)
    }

    @Test func ofWhatOpensFourThingsStay() throws {
        let phone = try FacePhone()
        try phone.provision()
        let received = Push.request(try phone.seal(more: #","data":{"n":1,"x":null,"list":[true,"a",1.5]}"#))
        let delivered = Delivered()
        let service = FaceService()
        FaceService.$current.withValue(phone.settings) {
            service.didReceive(received, withContentHandler: delivered.handler)
        }
        let content = try delivered.content()
        #expect(stays(content, of: received.content) == Self.mayStay)
        #expect(content.title == "Anna" && content.body == "inside 0" && content.subtitle == "")
        #expect(content.threadIdentifier == "t" && content.categoryIdentifier == "c")
        #expect(Set(content.userInfo.keys) == ["n", "list"])
        #expect(content.userInfo["n"] as? Int == 1)
        let list = try #require(content.userInfo["list"] as? [Any])
        #expect(list[0] as? Bool == true && list[1] as? String == "a" && list[2] as? Double == 1.5)
        #expect(PropertyListSerialization.propertyList(content.userInfo, isValidFor: .binary))
    }

    @Test(arguments: ["x", "a.b.c.d.e", ""]) func ofWhatDoesNotOpenFourThingsStay(_ sealed: String) throws {
        let phone = try FacePhone()
        try phone.provision()
        let content = try Push.show(sealed, on: phone)
        #expect(stays(content, of: Push.content(sealed)) == Self.mayStay)
        #expect(content.title == "Chat" && content.body == "New message (ours)" && content.userInfo.isEmpty)
    }

    @Test func whatIsNoStringShowsThePlaceholder() throws {
        let phone = try FacePhone()
        for sealed: Any in [7, ["a", "b"], ["ciphertext": "a", "nonce": "b", "tag": "c"], ["ciphertext": 1]] {
            #expect(try Push.show(sealed, on: phone).body == "New message (ours)")
        }
    }

    @Test func whatWasNeverSealedIsAsItCame() throws {
        let phone = try FacePhone()
        let content = try Push.show(nil, on: phone)
        var expected = Push.content(nil).emulatedFields
        var shown = content.emulatedFields
        (expected["userInfo"], shown["userInfo"]) = (nil, nil)
        #expect(shown == expected && content.userInfo["type"] as? String == "outside")
        var sealedOnly = phone.settings
        sealedOnly.isSealedOnly = true
        #expect(try Push.show(nil, on: phone, sealedOnly).body == "New message (ours)")
    }

    @Test func aDuplicateHasNoSoundAndIsHeldBackWithTheEntitlementAlone() throws {
        let phone = try FacePhone()
        try phone.provision()
        let sealed = try phone.seal()
        #expect(try Push.show(sealed, on: phone).sound?.description == "outside.caf")
        let again = try Push.show(sealed, on: phone)
        #expect(again.sound == nil && again.body == "inside 0")
        var filtering = phone.settings
        filtering.hasFilteringEntitlement = true
        let held = try Push.show(sealed, on: phone, filtering)
        #expect(held.emulatedFields == UNNotificationContent().emulatedFields)
    }

    @Test func anImageIsAddedAndOneThatIsGoneCostsItselfAlone() throws {
        let url = try TemporaryFile.make("image.jpg")
        var shown = ShownNotification(placeholder: FacePhone.placeholder, outcome: .malformed)
        shown.attachment = AttachedImage(path: url.path, type: .jpeg)
        let content = NotificationContent.make(shown, received: Push.content("x"))
        #expect(content.attachments.map(\.type) == ["public.jpeg"] && content.attachments.map(\.identifier) == ["image"])
        try FileManager.default.removeItem(at: url)
        #expect(NotificationContent.make(shown, received: Push.content("x")).attachments.isEmpty)
        #expect(NotificationContent.make(shown, received: Push.content("x")).body == "New message (ours)")
    }
}
