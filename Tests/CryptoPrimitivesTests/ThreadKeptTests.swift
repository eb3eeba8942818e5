import Glibc
import Synchronization
import Testing

@testable import CryptoPrimitives

@Suite struct ThreadKeptTests {
    private final class Object: Sendable {
        static let made = Atomic<Int>(0)
        static let gone = Atomic<Int>(0)

        init() { Self.made.add(1, ordering: .relaxed) }
        deinit { Self.gone.add(1, ordering: .relaxed) }
    }

    private static let kept = ThreadKept<Object>()

    /// One object for a thread, however often it asks, and none is left when the thread has ended.
    @Test func anObjectLivesAsLongAsItsThread() {
        for number in 1...3 {
            var thread = pthread_t()
            let answer = pthread_create(
                &thread, nil,
                { _ in
                    for _ in 0..<3 { ThreadKeptTests.kept.withValue({ Object() }, { _ in }) }
                    return nil
                }, nil)
            #expect(answer == 0)
            #expect(pthread_join(thread, nil) == 0)
            #expect(Object.made.load(ordering: .relaxed) == number)
            #expect(Object.gone.load(ordering: .relaxed) == number)
        }
    }
}
