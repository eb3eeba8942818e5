public import AppleTypes

/// One instance of an app's user interface.
@MainActor open class UIScene: UIResponder {
    @MainActor public final class ConnectionOptions {
        public init(emulating: Void) {}
    }
}

/// A scene that has windows.
@MainActor open class UIWindowScene: UIScene {}

/// What the system keeps of a scene.
@MainActor open class UISceneSession: NSObject {}
