import CryptoPrimitives
import EnvelopeFormat
import KeyStore
import Sealer

extension Problem {
    /// The one place where an error of any module becomes a problem.
    init(reporting error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as KeyStoreError: self.init(error)
        case SealingError.request(let error): self.init(error)
        case SealingError.store(let error): self.init(error)
        case SealingError.failed(let what): self.init(.failed, nil, "sealing failed: \(what)")
        case let error as FormatError: self.init(error)
        default: self.init(.failed, nil, "an error without a name: \(type(of: error))")
        }
    }

    private init(_ error: FormatError) {
        self.init(error.doesNotFit ? .doesNotFit : .invalid, error.field, error.reason)
    }

    private init(_ error: KeyStoreError) {
        self.init(Self.kind(of: error.kind), error.subject, error.reason, hint: error.hint)
    }

    private static func kind(of kind: KeyStoreError.Kind) -> ProblemKind {
        switch kind {
        case .notFound: .notFound
        case .alreadyExists, .cannotCreate, .conflict: .conflict
        case .badInput: .invalid
        case .refused: .refused
        case .locked, .authenticationFailed: .locked
        case .damaged: .damaged
        case .busy: .busy
        case .full, .readOnly, .inputOutput, .permission, .unavailable, .wrongRole, .schemaFromTheFuture: .unavailable
        }
    }
}
