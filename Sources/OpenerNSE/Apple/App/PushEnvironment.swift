internal import Foundation

/// Which of Apple's two push services knows this app's device tokens. The other one answers `BadDeviceToken`, or nothing comes.
///
/// The app tells its backend together with the token, so that nobody has to remember which build is on which phone.
public enum PushEnvironment: String, Sendable, CaseIterable {
    case development
    case production

    /// Of the running app, by the profile that it was signed with.
    public static var current: PushEnvironment {
        #if targetEnvironment(simulator)
            // It has no profile.
            return .development
        #else
            let url = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision")
            return PushEnvironment(profile: url.flatMap { try? Data(contentsOf: $0) })
        #endif
    }

    /// The host that takes pushes.
    public var host: String { self == .development ? "api.sandbox.push.apple.com" : "api.push.apple.com" }

    /// - Parameter profile: a property list within a signed message; nil in what comes from TestFlight or the App Store, where
    ///   Apple takes it out.
    init(profile: Data?) {
        guard let profile, let start = profile.range(of: Data("<?xml".utf8)), let end = profile.range(of: Data("</plist>".utf8)),
            start.lowerBound < end.upperBound,
            let list = try? PropertyListSerialization.propertyList(
                from: profile[start.lowerBound..<end.upperBound], format: nil) as? [String: Any],
            let entitlements = list["Entitlements"] as? [String: Any], let name = entitlements["aps-environment"] as? String
        else {
            self = .production
            return
        }
        self = PushEnvironment(rawValue: name) ?? .production
    }
}
