@testable import KeyStore

/// How the specification calls what was refused: the outcome, the step that came to it, and what it names.
struct AtRestOutcome: Equatable {
    let outcome: String
    let step: String?
    let names: String?

    init(_ expected: StoreVectors.Expectation) { (outcome, step, names) = (expected.outcome, expected.at, expected.names) }

    init(_ error: KeyStoreError, at step: String? = nil) {
        outcome = Self.name(of: error.kind)
        self.step = step ?? Self.step(of: error)
        names = error.subject
    }

    private static func name(of kind: KeyStoreError.Kind) -> String {
        switch kind {
        case .authenticationFailed: "authentication-failed"
        case .badInput: "bad-input"
        case .schemaFromTheFuture: "schema-from-the-future"
        case .notFound: "not-found"
        default: "\(kind)"
        }
    }

    private static func step(of error: KeyStoreError) -> String {
        switch (error.kind, error.subject, error.reason) {
        case (.locked, _, _): "locked"
        case (_, "key file", _), (_, "passphrase", _): "secret"
        case (.authenticationFailed, _, _): "keybag"
        case (_, "database", let reason) where !reason.contains("tables and indexes"): "schema"
        case (_, "database", _): "structure"
        case (_, let subject, _) where subject.hasSuffix(" of the database"): "structure"
        case (_, let subject, _) where subject.hasPrefix("audit entry "): "log"
        case (_, let subject, _) where subject.hasPrefix("a row of "): "frame"
        case (_, _, "its secret is there in part"), (_, _, "a value is of no form that is written"): "frame"
        case (_, _, "it is not as it was written"): "seal"
        case (_, "row store", _): "store"
        case (_, let subject, let reason) where reason.hasSuffix("has no such form"):
            subject.hasPrefix("row store/")
                ? "store" : subject.hasPrefix("row slot/") || subject.hasPrefix("row class_key/") ? "keybag" : "form"
        case (_, let subject, _) where subject.hasPrefix("row slot") || subject.hasPrefix("row class_key/"): "keybag"
        case (_, let subject, _) where subject.hasPrefix("digest ") || subject.hasPrefix("row digest/"): "digest"
        case (_, _, "its secret is not as it was written"), (_, _, "there is no such class key"), (_, _, "its secret is gone"):
            "secret"
        default: "?"
        }
    }
}
