public import EnvelopeFormat

/// Where a push goes.
public enum TargetPlatforms: String, Sendable, CaseIterable {
    case apns
    case fcm
    case both

    public init(_ platform: Platform) { self = platform == .apns ? .apns : .fcm }

    var platforms: [Platform] {
        switch self {
        case .apns: Self.apnsAlone
        case .fcm: Self.fcmAlone
        case .both: Platform.allCases
        }
    }

    // Made once: a seal is too short a time to make an array in.
    private static let apnsAlone = [Platform.apns]
    private static let fcmAlone = [Platform.fcm]
}
