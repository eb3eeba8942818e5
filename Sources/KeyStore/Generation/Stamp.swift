extension Generation {
    /// What a reader saw; equal stamps that are settled have nothing changed between them.
    public struct Stamp: Equatable, Sendable {
        let started: UInt64
        let completed: UInt64

        /// Whether no writer is between its commit and its bump; only then may anything be cached under it.
        public var isSettled: Bool { started == completed && started != 0 && isBelieved }

        /// Whether both are numbers that a store can come to.
        var isBelieved: Bool { max(started, completed) < GenerationNumber.bound }
    }
}
