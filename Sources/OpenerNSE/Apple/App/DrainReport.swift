/// What became of the notifications that waited.
public struct DrainReport: Sendable, Equatable {
    /// Opened, and shown in the place of their placeholder.
    public internal(set) var rewritten = 0
    /// Opened, while their placeholder was not there any more.
    public internal(set) var dismissed = 0
    /// They do not open now either, and wait no more.
    public internal(set) var unopened = 0
    /// Still locked, or not yet delivered, or the time was up.
    public internal(set) var waiting = 0
    /// Whether the system had no more time for it.
    public internal(set) var isStopped = false
}
