internal import Glibc

/// Ends a benchmark that cannot go on.
public func fatal(_ what: String) -> Never {
    print("failed: \(what)")
    exit(70)
}
