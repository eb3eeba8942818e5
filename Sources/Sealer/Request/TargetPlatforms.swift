public import EnvelopeFormat

/// Where a push goes.
public enum TargetPlatforms: String, Sendable, CaseIterable {
    case apns
    case fcm
    case both

    public init(_ platform: Platform) { self = platform == .apns ? .apns : .fcm }

    var platforms: [Platform] {
        switch self {
        case .apns: [.apns]
        case .fcm: [.fcm]
        case .both: [.apns, .fcm]
        }
    }
}
