/// How long an image may still take, and whether anybody waits for it.
struct StageTime {
    private let deadline: ContinuousClock.Instant
    let isWanted: @Sendable () -> Bool

    init(_ budget: Duration, isWanted: @escaping @Sendable () -> Bool) {
        deadline = .now + budget
        self.isWanted = isWanted
    }

    var isLeft: Bool { ContinuousClock.now < deadline && isWanted() }

    /// More than nothing.
    func left() throws(ImageFailure) -> Duration {
        let left = deadline - .now
        guard left > .zero, isWanted() else { throw .timeout }
        return left
    }
}
