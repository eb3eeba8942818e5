/// What opening came to: the first check that failed, in the order of the envelope spec, section 9, or `opened`.
public enum Outcome: String, Error, Sendable, CaseIterable {
    case opened
    case tooLarge = "too-large"
    case malformed
    case notSealed = "not-sealed"
    case unsupported
    case unknownKey = "unknown-key"
    case keyRevoked = "key-revoked"
    case keyRetired = "key-retired"
    case keyLocked = "key-locked"
    case notAuthentic = "not-authentic"
    case badClaims = "bad-claims"
    case expired
    case notYetValid = "not-yet-valid"
    case duplicate
    /// A provisioning bundle was accepted.
    case installed
    /// A bundle whose sequence number is not above the last accepted one.
    case replayed
    /// A bundle that contradicts what the device holds.
    case conflict
    /// The extension's time was up before there was an answer.
    case timeExpired = "time-expired"
    /// The keys could not be asked for: store gone or damaged, not in the access group.
    case storeUnavailable = "store-unavailable"
}
