import TestSupport

/// How many of the boundaries are tried.
enum TestScale {
    #if SANITIZED
        static let isSlow = false
    #else
        static let isSlow = TestAmount.isSlow
    #endif
}
