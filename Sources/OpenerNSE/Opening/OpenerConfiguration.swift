/// How an app has its extension open.
public struct OpenerConfiguration: Sendable {
    /// Whether sealed parts of the split profile are looked at.
    public var allowsSplit: Bool
    /// Shown for whatever does not open; shipped with the app, in the language of the device.
    public var placeholder: ShownText

    public init(allowsSplit: Bool = false, placeholder: ShownText = ShownText(body: "New message")) {
        self.allowsSplit = allowsSplit
        self.placeholder = placeholder
    }
}
