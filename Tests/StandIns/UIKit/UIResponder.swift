public import AppleTypes

/// What an app delegate inherits from.
@MainActor open class UIResponder: NSObject {}
