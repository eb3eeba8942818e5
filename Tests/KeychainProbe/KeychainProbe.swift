import CryptoPrimitives
import EnvelopeFormat
import Glibc
import KeyStore

/// A process of its own for the tests of the keychain: another user of a group, an extension that stays running.
///
/// `keychain-probe [--as UID:GID[:GID...]] [--umask OCTAL] DIRECTORY` reads a command a line and answers each with a line:
/// `ok` and what there is to say, or the keychain's status. Test values only: pipes are no place for others.
@main
enum KeychainProbe {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        SessionAgent.serveIfAsked(arguments)
        while let option = arguments.first, option.hasPrefix("--") {
            let value = arguments.count > 1 ? arguments[1] : ""
            arguments.removeFirst(min(2, arguments.count))
            switch option {
            case "--as": become(value)
            case "--umask": umask(mode_t(value, radix: 8) ?? 0)
            default: exit(64)
            }
        }
        guard arguments.count == 1 else { exit(64) }
        do { try ProcessHardening.apply() } catch { exit(70) }
        let session = KeychainSession(directory: arguments[0])
        while let line = readLine() {
            say(session.answer(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)))
        }
    }

    /// One line to whoever asked, at once.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(74) }
    }

    /// Another user and no other groups than those named.
    private static func become(_ identity: String) {
        let numbers = identity.split(separator: ":").compactMap { UInt32($0) }
        let groups = Array(numbers.dropFirst(2))
        guard numbers.count >= 2, setgroups(groups.count, groups) == 0, setgid(numbers[1]) == 0,
            setuid(numbers[0]) == 0
        else { exit(71) }
    }
}
