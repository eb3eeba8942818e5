extension KeyStoreError {
    /// What a failure of libsodium comes to for the thing it happened on.
    init(_ error: SodiumError, _ subject: String) {
        let kind: Kind =
            switch error {
            case .unavailable, .outOfMemory, .notProtected, .notDerived, .noRandomness, .failed: .unavailable
            case .outOfRange, .emptyPassphrase: .badInput
            case .wrongLength, .notAuthentic: .damaged
            }
        self.init(kind, subject, error.description)
    }
}
