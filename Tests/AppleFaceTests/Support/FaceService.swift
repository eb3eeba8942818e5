import Foundation
import OpenerNSEApple
import UserNotifications

/// An extension as an app writes it, whose settings are those of the running test.
final class FaceService: OpenerServiceExtension {
    @TaskLocal static var current: OpenerSettings?

    override class var settings: OpenerSettings { current ?? super.settings }
}

/// What the system does with an extension: it hands requests over, and waits for what is shown.
final class Delivered: @unchecked Sendable {
    private let lock = NSLock()
    private let arrival = DispatchSemaphore(value: 0)
    private var contents: [UNNotificationContent] = []

    var count: Int { lock.withLock { contents.count } }

    func handler(_ content: UNNotificationContent) {
        lock.withLock { contents.append(content) }
        arrival.signal()
    }

    /// The first content; a handler that is not called within a minute is none.
    func content() throws -> UNNotificationContent {
        guard arrival.wait(timeout: .now() + 60) == .success else { throw NoDelivery() }
        return lock.withLock { contents[0] }
    }

    struct NoDelivery: Error {}
}

enum Push {
    /// A request with every property of its content written by somebody outside.
    static func request(_ sealed: Any?, identifier: String = UUID().uuidString) -> UNNotificationRequest {
        UNNotificationRequest(identifier: identifier, content: content(sealed), trigger: UNPushNotificationTrigger())
    }

    static func content(_ sealed: Any?) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "outside"
        content.subtitle = "outside"
        content.body = "outside"
        content.badge = 7
        content.sound = UNNotificationSound(named: UNNotificationSoundName("outside.caf"))
        content.userInfo = ["aps": ["alert": "outside"], "type": "outside", "image_url": "https://outside.example/a.jpg"]
        if let sealed { content.userInfo["encrypted_payload"] = sealed }
        content.categoryIdentifier = "outside"
        content.threadIdentifier = "outside"
        content.launchImageName = "outside"
        content.targetContentIdentifier = "outside"
        content.filterCriteria = "outside"
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.7
        content.summaryArgument = "outside"
        content.summaryArgumentCount = 3
        if let file = try? TemporaryFile.make("outside.jpg"),
            let attachment = try? UNNotificationAttachment(identifier: "outside", url: file)
        {
            content.attachments = [attachment]
        }
        return content
    }

    /// Hands a request to an extension and waits.
    static func show(_ sealed: Any?, on phone: FacePhone, _ settings: OpenerSettings? = nil) throws -> UNNotificationContent {
        let delivered = Delivered()
        let service = FaceService()
        FaceService.$current.withValue(settings ?? phone.settings) {
            service.didReceive(request(sealed), withContentHandler: delivered.handler)
        }
        return try delivered.content()
    }
}

enum TemporaryFile {
    /// A small file in a folder of its own, left to the system to remove.
    static func make(_ name: String) throws -> URL {
        let url = try folder().appendingPathComponent(name)
        try Data("outside of any image".utf8).write(to: url)
        return url
    }

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waxwing-face-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
