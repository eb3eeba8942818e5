/// What a key store could not do: on which thing, and why. Safe to log: never input bytes, SQL arguments or key material.
public struct KeyStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What sort of failure it is; the command line makes its exit code of this alone.
    public enum Kind: Sendable, CaseIterable {
        /// `notFound` is of what was named: a thing in a store, or a file to be read. A store that is not there, a file of it,
        /// or a key file that is to unlock something is `unavailable`.
        case notFound, alreadyExists, conflict, locked, authenticationFailed, damaged, permission, busy, full, readOnly
        case unavailable, cannotCreate, inputOutput, badInput, wrongRole, schemaFromTheFuture, refused
    }

    public let kind: Kind
    /// The thing it happened on: "conversation chat-1", "/path/store.sqlite", "row device/…".
    public let subject: String
    /// Why, as a phrase: "mode 0644 is readable by others".
    public let reason: String
    /// What to do about it, if there is something to do.
    public let hint: String?

    public init(_ kind: Kind, _ subject: String, _ reason: String, hint: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.reason = reason
        self.hint = hint
    }

    /// What ends a job whose caller says that it does not go on.
    static let interrupted = KeyStoreError(.busy, "job", "it was interrupted", hint: "repeat it")

    public var description: String { "\(subject): \(reason)" }
}
