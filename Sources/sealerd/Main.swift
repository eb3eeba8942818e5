import Glibc
import KeyStore
import SealService

/// The entry: makes the process fit to hold keys, reads the command line, and serves.
@main
enum Main {
    static func main() {
        do { try ProcessHardening.apply() } catch { fail(69, "this process cannot be closed to others: \(error)") }
        signal(SIGPIPE, SIG_IGN)
        raiseLimit()
        Service.blockSignals()
        do throws(ArgumentsError) {
            switch try Arguments(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Arguments.helpText, terminator: "")
            case .version: print(SealService.ServiceVersion.text)
            case .check(let path): check(path)
            case .serve(let path): serve(path)
            case .token(let file, let name, let scopes): addToken(file, name, scopes)
            }
        } catch { fail(64, error.reason + "\nsealerd: hint: sealerd --help") }
    }

    /// As many descriptors as this user may have: each connection is one.
    private static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func check(_ path: String) {
        do { _ = try ServiceConfiguration(file: path) } catch { fail(78, "\(error)") }
        print("\(path): it is as it must be")
    }

    private static func serve(_ path: String) {
        let inherited = InheritedSockets(environment: { getenv($0).map { String(cString: $0) } }, process: getpid())
        do {
            let service = try Service(try ServiceConfiguration(file: path), inherited: inherited, now: Int64(time(nil)))
            try service.start()
            exit(service.run() ? 0 : 75)
        } catch let error as KeyStoreError {
            fail(69, "\(error)" + (error.hint.map { "\nsealerd: hint: \($0)" } ?? ""))
        } catch { fail(78, "\(error)") }
    }

    private static func addToken(_ file: String, _ name: String, _ scopes: [String]) {
        do { print(try TokenFile.add(to: file, name: name, scopes: scopes)) } catch { fail(65, "\(error)") }
    }

    private static func fail(_ status: Int32, _ reason: String) -> Never {
        let text = Array("sealerd: error: \(reason)\n".utf8)
        _ = write(STDERR_FILENO, text, text.count)
        exit(status)
    }
}
