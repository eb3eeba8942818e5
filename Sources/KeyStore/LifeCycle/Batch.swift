/// A part of a long job that is one transaction: short, so that whoever seals or waits to write has not long to wait.
struct Batch {
    /// The most things in one.
    static let limit = 256
    private static let time = Duration.milliseconds(40)

    private let began = ContinuousClock.now

    /// Whether the transaction has lasted as long as one should.
    var isOver: Bool { began.duration(to: .now) > Self.time }

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
