import CLinux
import Glibc
import KeyStore

/// A process of its own for the tests of session holders: another user, another log-in, another program.
///
/// `session-probe [--as UID:GID[:GID...]] [--new-session] [--harden] STORE DIRECTORY GROUP|- COMMAND...` with the commands
/// `put NAME HEX [SECONDS]`, `fetch NAME`, `evict NAME...`, `name`, `crash`. Test keys only: argv is no place for others.
@main
enum SessionProbe {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        SessionAgent.serveIfAsked(arguments)
        do {
            exit(try run(arguments[...]))
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws -> Int32 {
        var rest = arguments
        while let option = rest.first, option.hasPrefix("--") {
            rest.removeFirst()
            switch option {
            case "--as": become(rest.removeFirst())
            case "--new-session": demand(waxwing_key_join_new_session() >= 0, "join_session_keyring")
            case "--harden": try ProcessHardening.apply()
            default: demand(false, "option")
            }
        }
        demand(rest.count >= 4, "arguments")
        let holder = try SessionHolders.choose(
            store: bytes(rest.removeFirst()), directory: rest.removeFirst(), group: UInt32(rest.removeFirst()))
        let command = rest.removeFirst()
        switch command {
        case "put":
            let name = rest.removeFirst()
            var key = bytes(rest.removeFirst())
            try holder.put(GuardedBytes(consuming: &key), named: name, timeout: rest.first.flatMap { Int($0) })
            print("put")
        case "fetch":
            let key = try holder.fetch(rest.removeFirst())
            print(key.map { key in key.withBytes { hexadecimal(Array($0)) } } ?? "absent")
        case "evict":
            try holder.evict(Array(rest))
            print("evicted")
        case "name": print(holder.name)
        default: demand(false, "command")
        }
        return 0
    }

    private static func become(_ identity: String) {
        let numbers = identity.split(separator: ":").compactMap { UInt32($0) }
        demand(numbers.count >= 2, "identity")
        let groups = Array(numbers.dropFirst(2))
        demand(setgroups(groups.count, groups) == 0, "setgroups")
        demand(setgid(numbers[1]) == 0, "setgid")
        demand(setuid(numbers[0]) == 0, "setuid")
    }

    private static func demand(_ isTrue: Bool, _ what: String) {
        guard !isTrue else { return }
        print("error: \(what) (errno \(errno))")
        exit(2)
    }

    private static func bytes(_ text: String) -> [UInt8] {
        var letters = Array(text)[...]
        var bytes: [UInt8] = []
        while letters.count >= 2 {
            bytes.append(UInt8(String(letters.prefix(2)), radix: 16) ?? 0)
            letters.removeFirst(2)
        }
        return bytes
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
