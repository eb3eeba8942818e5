internal import EnvelopeFormat
internal import Foundation
internal import OpenerNSE
internal import UserNotifications

/// Makes the content that the system shows.
enum NotificationContent {
    /// - Parameter received: the content as it came. Unless nothing was sealed, only sound, badge, interruption level and
    ///   relevance of it stay: everything else anybody could have written who can push.
    static func make(_ shown: ShownNotification, received: UNNotificationContent) -> UNNotificationContent {
        // Where the app may hold notifications back, an empty content does it.
        guard !shown.isSuppressible else { return UNNotificationContent() }
        let content = shown.base == .received ? copy(of: received) : rewritten(shown, received)
        if shown.isSilent { content.sound = nil }
        if let attachment = shown.attachment.flatMap(attachment) { content.attachments.append(attachment) }
        return content
    }

    private static func rewritten(_ shown: ShownNotification, _ received: UNNotificationContent) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.sound = received.sound
        content.badge = received.badge
        content.interruptionLevel = received.interruptionLevel
        content.relevanceScore = received.relevanceScore
        content.title = shown.text.title ?? ""
        content.subtitle = shown.text.subtitle ?? ""
        content.body = shown.text.body ?? ""
        content.threadIdentifier = shown.thread ?? ""
        content.categoryIdentifier = shown.category ?? ""
        content.userInfo = PropertyList.userInfo(shown.userInfo)
        return content
    }

    private static func copy(of received: UNNotificationContent) -> UNMutableNotificationContent {
        (received.mutableCopy() as? UNMutableNotificationContent) ?? UNMutableNotificationContent()
    }

    /// An image that the system will not have costs the image alone. Its type is said besides by the name of its file.
    private static func attachment(_ image: AttachedImage) -> UNNotificationAttachment? {
        try? UNNotificationAttachment(
            identifier: "image", url: URL(fileURLWithPath: image.path),
            options: [UNNotificationAttachmentOptionsTypeHintKey: image.type.uniformType])
    }
}

extension ImageType {
    /// Its uniform type identifier.
    var uniformType: String {
        switch self {
        case .jpeg: "public.jpeg"
        case .png: "public.png"
        case .gif: "com.compuserve.gif"
        case .webp: "org.webmproject.webp"
        case .heic: "public.heic"
        }
    }
}
