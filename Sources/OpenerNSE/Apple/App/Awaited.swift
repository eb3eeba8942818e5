internal import Foundation

/// Waits, on a thread that may, for a value that comes by a callback.
final class Awaited<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    func arrive(_ value: Value) {
        self.value.with { $0 = value }
        arrival.signal()
    }

    /// nil when it does not come in that time.
    func wait(_ time: DispatchTimeInterval = .seconds(30)) -> Value? {
        guard arrival.wait(timeout: .now() + time) == .success else { return nil }
        return value.with { $0 }
    }
}
