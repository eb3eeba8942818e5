public import AppleTypes

/// What a sound is called.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a notification sounds like.
open class UNNotificationSound: NSObject, @unchecked Sendable {
    private let name: UNNotificationSoundName

    public init(named name: UNNotificationSoundName) { self.name = name }

    /// For tests to tell one from another.
    open override var description: String { name.rawValue }

    open class var `default`: UNNotificationSound { UNNotificationSound(named: UNNotificationSoundName("default")) }
}
