import UserNotifications
import os

class LoggedService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private let startedAt = CFAbsoluteTimeGetCurrent()
    private let log = Logger(subsystem: "com.example.myapp.nse", category: "delivery")

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        finish(request.content, outcome: "unchanged")
    }

    private func finish(_ content: UNNotificationContent, outcome: String) {
        guard let handler = contentHandler else { return }
        let elapsed = CFAbsoluteTimeGetCurrent() - startedAt
        log.log("outcome=\(outcome, privacy: .public) elapsed=\(elapsed, privacy: .public) id=\(content.title)")
        contentHandler = nil
        handler(content)
    }
}
