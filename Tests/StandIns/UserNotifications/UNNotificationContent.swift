public import AppleTypes

/// What a notification says; it cannot be changed.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    var fields: ContentFields

    public override init() { fields = ContentFields() }
    init(_ fields: ContentFields) { self.fields = fields }

    open var title: String { fields.title }
    open var subtitle: String { fields.subtitle }
    open var body: String { fields.body }
    open var badge: NSNumber? { fields.badge }
    open var sound: UNNotificationSound? { fields.sound }
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    open var attachments: [UNNotificationAttachment] { fields.attachments }
    open var categoryIdentifier: String { fields.categoryIdentifier }
    open var threadIdentifier: String { fields.threadIdentifier }
    open var launchImageName: String { fields.launchImageName }
    open var targetContentIdentifier: String? { fields.targetContentIdentifier }
    open var filterCriteria: String? { fields.filterCriteria }
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    open var relevanceScore: Double { fields.relevanceScore }
    /// Deprecated on Apple's systems; a push may still set it.
    open var summaryArgument: String { fields.summaryArgument }
    /// Deprecated on Apple's systems; a push may still set it.
    open var summaryArgumentCount: Int { fields.summaryArgumentCount }

    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields) }
}

extension UNNotificationContent {
    /// Every property with its value as text, for tests to compare.
    public var emulatedFields: [String: String] {
        let children = Mirror(reflecting: fields).children
        return Dictionary(children.map { ($0.label ?? "", "\($0.value)") }, uniquingKeysWith: { $1 })
    }
}
