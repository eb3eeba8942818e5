public import AppleTypes

/// What the system tells of a scene. On Apple's systems all of it is optional.
@MainActor public protocol UIWindowSceneDelegate: NSObject {
    var window: UIWindow? { get set }
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
}
