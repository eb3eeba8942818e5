public import AppleTypes

public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

/// A file that is shown with a notification. As on a phone, a type is known by the file's name or by the hint.
open class UNNotificationAttachment: NSObject, @unchecked Sendable {
    private static let types = [
        "jpg": "public.jpeg", "jpeg": "public.jpeg", "png": "public.png", "gif": "com.compuserve.gif", "heic": "public.heic",
        "webp": "org.webmproject.webp",
    ]
    open private(set) var identifier: String
    open private(set) var url: URL
    open private(set) var type: String

    /// - Throws: where there is no such file, or nothing says of which type it is.
    public init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard URL.isFileURL, FileManager.default.fileExists(atPath: URL.path),
            let type = hint ?? Self.types[URL.pathExtension.lowercased()]
        else { throw UNError(.attachmentInvalidURL) }
        self.identifier = identifier
        url = URL
        self.type = type
    }

    open override var description: String { "\(identifier) \(type) \(url.lastPathComponent)" }
}
