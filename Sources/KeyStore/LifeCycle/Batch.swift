internal import Glibc

/// A part of a long job that is one transaction: short, so that whoever seals or waits to write has not long to wait.
struct Batch {
    /// The most things in one.
    static let limit = 1_024
    /// How many rows are read ahead: what the time does not suffice for is read again.
    static let readAhead = 64
    private static let time = Duration.milliseconds(20)

    private let began = ContinuousClock.now

    /// Whether the transaction has lasted as long as one should.
    var isOver: Bool { began.duration(to: .now) > Self.time }

    /// Between two of a job. SQLite has nobody queue: whoever waits for the lock looks for it every two milliseconds, and
    /// would else hardly ever find it free.
    static func giveWay() { usleep(2_500) }

    /// Whether an error is one thing's own; others are the store's, and the things after it would fare no better.
    static func isOfOneThing(_ error: KeyStoreError) -> Bool {
        switch error.kind {
        case .notFound, .alreadyExists, .conflict, .damaged, .badInput, .refused: true
        case .locked, .authenticationFailed, .permission, .busy, .full, .readOnly, .unavailable, .cannotCreate,
            .inputOutput, .wrongRole, .schemaFromTheFuture:
            false
        }
    }
}
