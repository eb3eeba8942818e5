import Foundation

/// How much a test does: little, or with `SLOW=1` in the environment a lot.
public enum TestAmount {
    public static let isSlow = ProcessInfo.processInfo.environment["SLOW"] == "1"

    /// Whether all was built with a sanitizer (`SANITIZED=1`): a process takes several times the memory then.
    public static let isSanitized = ProcessInfo.processInfo.environment["SANITIZED"] == "1"

    public static func rounds(_ usual: Int, slow: Int) -> Int { isSlow ? slow : usual }
}
