import Foundation

/// How much a test does: little, or with `SLOW=1` in the environment a lot.
public enum TestAmount {
    public static let isSlow = ProcessInfo.processInfo.environment["SLOW"] == "1"

    public static func rounds(_ usual: Int, slow: Int) -> Int { isSlow ? slow : usual }
}
