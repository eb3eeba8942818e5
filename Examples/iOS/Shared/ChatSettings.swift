import OpenerNSEApple
import UserNotifications

extension OpenerSettings {
    /// The same in the app and in its extension: this file belongs to both targets.
    nonisolated static var chat: OpenerSettings {
        OpenerSettings(
            appGroup: "group.com.example.chat",
            // `$(AppIdentifierPrefix)com.example.chat.shared` in both Info.plists, so that the team's prefix is never typed.
            keychainGroup: Bundle.main.object(forInfoDictionaryKey: "KeychainGroup") as? String ?? "",
            placeholder: ShownText(title: "Chat", body: NSLocalizedString("You have a message", comment: "what does not open")),
            isSealedOnly: true,
            images: { ImageStage.standard(in: $0, from: AddressPolicy(allowedHosts: ["img.example.com"])) })
    }
}
