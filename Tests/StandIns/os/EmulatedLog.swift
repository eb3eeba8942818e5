internal import Foundation

/// What was logged, as somebody who reads the log sees it.
public final class EmulatedLog: @unchecked Sendable {
    private static let shared = EmulatedLog()
    private let lock = NSLock()
    private var lines: [String: [String]] = [:]

    static func write(_ line: String, _ subsystem: String) {
        shared.lock.withLock { shared.lines[subsystem, default: []].append(line) }
    }

    public static func lines(of subsystem: String) -> [String] { shared.lock.withLock { shared.lines[subsystem] ?? [] } }
}
