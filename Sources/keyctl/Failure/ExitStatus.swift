/// The exit codes, with the numbers of `sysexits.h` where it has one.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    /// The command ran and the answer is no: not opened, a case failed.
    case no = 1
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    case notPermitted = 77
    case configuration = 78

    /// What the code says, for the manual.
    var meaning: String {
        switch self {
        case .done: "done"
        case .no: "the answer is no: not opened, does not hold, a case failed"
        case .usage: "the command line is wrong"
        case .badInput: "bad input data, or a store that is damaged"
        case .notFound: "no such thing"
        case .unavailable: "the store is not available, or the cryptography does not pass its self-test"
        case .cannotCreate: "cannot create, or it is there already"
        case .inputOutput: "input or output failed"
        case .tryAgain: "busy, try again"
        case .notPermitted: "not permitted, locked, or the passphrase is wrong"
        case .configuration: "configuration: a store of the other role, or from a newer version"
        }
    }
}
