/// Whether a value of a line is shown to whoever reads the log.
public struct OSLogPrivacy: Sendable {
    let isShown: Bool?

    public static var `public`: OSLogPrivacy { OSLogPrivacy(isShown: true) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(isShown: false) }
    /// Numbers are shown, and all else is not.
    public static var auto: OSLogPrivacy { OSLogPrivacy(isShown: nil) }
}
