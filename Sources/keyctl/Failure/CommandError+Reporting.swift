import CryptoPrimitives
import EnvelopeFormat
import Glibc
import KeyStore
import OpenerNSE
import Sealer
import Simulator

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
        case let error as SimulationError: self.init(error)
        case let error as ContainerError: self.init(error)
        case let error as TemplateError: self.init(.badInput, error.file, error.reason)
        case let error as AttachmentError: self.init(.badInput, nil, error.description)
        case _ as CryptoKitError:
            self.init(
                .unavailable, nil, "OpenSSL failed, or left some of a text as it was: nothing of it is kept",
                hint: "what is wrong with it every time is listed by keyctl kat")
        case let error as any Error & CustomStringConvertible: self.init(.inputOutput, nil, error.description)
        default: self.init(.inputOutput, nil, "an error without a name: \(type(of: error))")
        }
    }

    private init(_ error: SimulationError) {
        switch error {
        case .noProgram(let path, let code):
            let failure = SystemError.failure(code, path: path)
            self.init(
                failure.status, path, failure.reason, hint: "the extension's program is installed beside this one, and can be run by all")
        case .system(let operation, let code):
            self.init(.inputOutput, "the extension's process", "\(operation): \(SystemError.text(code))")
        case .malformed(let path, let reason):
            self.init(.inputOutput, path, "it is no extension's program of this version: \(reason)")
        }
    }

    private init(_ error: ContainerError) {
        let subject = error.isOfFolder ? error.name : "\(error.name) in the shared container"
        let failure = SystemError.failure(error.code, path: subject)
        switch (error.operation, error.code) {
        case ("mkdir", ENOENT), ("mkdir", ENOTDIR): self.init(.notFound, subject, "the folder above it is not there")
        case ("opendir", ENOTDIR): self.init(.badInput, subject, "is a file where a folder is needed")
        case ("flock", EWOULDBLOCK): self.init(.tryAgain, subject, "another process is at it")
        case _ where error.isTooLarge: self.init(.badInput, subject, "has more bytes than an opener writes")
        case ("open", EINVAL), ("open", ENXIO): self.init(.badInput, subject, "is something else than a file")
        default: self.init(failure.status, subject, failure.reason)
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
