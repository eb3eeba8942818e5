import Synchronization

/// A small number for every thread, counted up: what spreads threads over a few places without a table.
final class ThreadNumber {
    private static let kept = ThreadKept<ThreadNumber>()
    private static let next = Atomic<UInt32>(0)

    private let value: UInt32

    private init() {
        value = Self.next.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// The calling thread's number.
    static var current: UInt32 {
        kept.withValue { () -> ThreadNumber in ThreadNumber() } _: { $0.value }
    }
}
