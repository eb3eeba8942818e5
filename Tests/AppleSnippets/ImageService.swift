import UserNotifications

class ImageService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        guard let bestAttemptContent = bestAttemptContent,
            let imageURLString = request.content.userInfo["image_url"] as? String,
            let imageURL = URL(string: imageURLString)
        else {
            contentHandler(self.bestAttemptContent ?? request.content)
            return
        }

        let task = URLSession.shared.downloadTask(with: imageURL) { [weak self] localURL, response, error in
            guard self != nil, let localURL = localURL, error == nil else {
                contentHandler(bestAttemptContent)
                return
            }
            let tmpDir = FileManager.default.temporaryDirectory
            let ext = imageURL.pathExtension.isEmpty ? "jpg" : imageURL.pathExtension
            let savedURL = tmpDir.appendingPathComponent(UUID().uuidString + "." + ext)
            do {
                try FileManager.default.moveItem(at: localURL, to: savedURL)
                let attachment = try UNNotificationAttachment(identifier: "image", url: savedURL, options: nil)
                bestAttemptContent.attachments = [attachment]
                contentHandler(bestAttemptContent)
            } catch {
                contentHandler(bestAttemptContent)
            }
        }
        task.resume()
    }
}
