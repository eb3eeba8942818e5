/// What a window shows.
@MainActor open class UIViewController: UIResponder {}

/// Where a scene shows something.
@MainActor open class UIWindow: UIResponder {
    open var rootViewController: UIViewController?
    open private(set) var isKeyWindow = false

    public init(windowScene: UIWindowScene) { super.init() }

    open func makeKeyAndVisible() { isKeyWindow = true }
}
