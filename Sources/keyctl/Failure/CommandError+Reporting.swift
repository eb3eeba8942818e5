import EnvelopeFormat
import KeyStore
import Sealer

extension CommandError {
    /// The one place where an error of any module becomes an exit code and a message.
    init(reporting error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as KeyStoreError: self.init(error)
        case SealingError.request(let error): self.init(.badInput, error.field, error.reason)
        case SealingError.store(let error): self.init(error)
        case let error as SealingError: self.init(.inputOutput, nil, error.description)
        case let error as FormatError: self.init(.badInput, error.field, error.reason)
        case let error as SodiumError: self.init(.inputOutput, nil, "\(error)")
        default: self.init(.inputOutput, nil, "an error without a name: \(type(of: error))")
        }
    }

    /// The same with the status that a phone's keychain would answer.
    init(reporting error: KeyStoreError, as status: KeychainStatus) {
        self.init(Self.status(of: error.kind), error.subject, "\(error.reason) (\(status))", hint: error.hint)
    }

    private init(_ error: KeyStoreError) {
        self.init(Self.status(of: error.kind), error.subject, error.reason, hint: error.hint ?? Self.hint(for: error.kind))
    }

    /// What is to be done whatever it was done to.
    private static func hint(for kind: KeyStoreError.Kind) -> String? {
        switch kind {
        case .full: "make room and repeat the command"
        case .busy: "another process is writing: repeat the command"
        default: nil
        }
    }

    private static func status(of kind: KeyStoreError.Kind) -> ExitStatus {
        switch kind {
        case .notFound: .notFound
        case .alreadyExists, .cannotCreate: .cannotCreate
        case .conflict, .damaged, .badInput, .refused: .badInput
        case .locked, .authenticationFailed, .permission: .notPermitted
        case .busy: .tryAgain
        case .full, .readOnly, .inputOutput: .inputOutput
        case .unavailable: .unavailable
        case .wrongRole, .schemaFromTheFuture: .configuration
        }
    }
}
