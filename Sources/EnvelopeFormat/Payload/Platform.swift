/// The push service a payload is rendered for.
public enum Platform: String, Sendable, CaseIterable {
    case apns
    case fcm
}
