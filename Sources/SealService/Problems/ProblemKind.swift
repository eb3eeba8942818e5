/// The problems there are; the raw value ends the `type` of RFC 9457, and is what metrics and logs count by.
enum ProblemKind: String, Sendable, CaseIterable {
    case malformed, invalid, tooManyItems = "too-many-items"
    case doesNotFit = "does-not-fit"
    case unauthenticated, forbidden
    case notFound = "not-found"
    case noSuchEndpoint = "no-such-endpoint"
    case methodNotAllowed = "method-not-allowed"
    case timedOut = "timed-out"
    case conflict, refused
    case tooLarge = "too-large"
    case mediaType = "media-type"
    case tooManyRequests = "too-many-requests"
    case failed
    case damaged
    case locked, busy, overloaded, stopping, unavailable

    var status: Int {
        switch self {
        case .malformed: 400
        case .unauthenticated: 401
        case .forbidden: 403
        case .notFound, .noSuchEndpoint: 404
        case .methodNotAllowed: 405
        case .timedOut: 408
        case .conflict, .refused: 409
        case .tooLarge, .tooManyItems: 413
        case .mediaType: 415
        case .invalid, .doesNotFit: 422
        case .tooManyRequests: 429
        case .failed, .damaged: 500
        case .locked, .busy, .overloaded, .stopping, .unavailable: 503
        }
    }

    var title: String {
        switch self {
        case .malformed: "The body is not strict JSON"
        case .invalid: "The request is not as it must be"
        case .tooManyItems: "More requests than one batch takes"
        case .doesNotFit: "The text does not fit"
        case .unauthenticated: "Nobody known asks"
        case .forbidden: "The caller may not do this"
        case .notFound: "No such thing in the store"
        case .noSuchEndpoint: "No such endpoint"
        case .methodNotAllowed: "The endpoint has other methods"
        case .timedOut: "The body came too slowly"
        case .conflict: "It is there already, or was changed meanwhile"
        case .refused: "The state of the key does not allow it"
        case .tooLarge: "The body is too large"
        case .mediaType: "The body is not application/json"
        case .tooManyRequests: "The caller has too many requests at a time"
        case .failed: "It failed"
        case .damaged: "The store is not as it was written"
        case .locked: "The store is locked"
        case .busy: "The store is busy"
        case .overloaded: "The service is busy"
        case .stopping: "The service is being stopped"
        case .unavailable: "The store cannot be used"
        }
    }

    /// Seconds after which asking again may help; nil where it does not by itself.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .busy, .overloaded: 1
        case .stopping: 5
        case .locked, .unavailable: 10
        default: nil
        }
    }
}
