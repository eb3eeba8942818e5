/// One of APNs' two services, which do not know each other's device tokens.
public enum PushEnvironment: String, Sendable, CaseIterable {
    /// Of builds that Xcode puts on a phone.
    case development
    /// Of builds from TestFlight and the App Store.
    case production

    public var host: String {
        switch self {
        case .development: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }

    /// Why a push sent to this one never reaches the phone; nil when it does.
    /// - Parameter token: where the phone's device token is from.
    public func refusal(ofTokenFrom token: PushEnvironment) -> String? {
        guard token != self else { return nil }
        return "BadDeviceToken: the token is of \(token.host) (aps-environment \(token.rawValue)), and it is sent to \(host)"
    }
}
