import CLinux
import Glibc
import KeyStore

/// A process of its own for the tests of session holders: another user, another log-in, another program.
///
/// `session-probe [--as UID:GID[:GID...]] [--new-session] STORE DIRECTORY GROUP|- COMMAND...` with the commands
/// `put NAME HEX [SECONDS]`, `fetch NAME`, `evict NAME...`, `remaining NAME...`, `listed`, `name`, and some that misbehave. Test keys only: argv is no place for others.
@main
enum SessionProbe {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        SessionAgent.serveIfAsked(arguments)
        do {
            // What a crash would print without it; the canary test compares.
            if arguments.first == "--unhardened" {
                arguments.removeFirst()
            } else {
                try ProcessHardening.apply()
            }
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
            case "--umask-077": umask(0o077)
            case "--fill-keyring": demand(fill() == -Int(EDQUOT), "fill")
            case "--leave-keys": demand(fill(leaving: Int(rest.removeFirst()) ?? 0), "fill")
            case "--at":
                let moment = Int(rest.removeFirst()) ?? 0
                var now = timespec()
                repeat {
                    clock_gettime(CLOCK_REALTIME, &now)
                } while now.tv_sec * 1000 + now.tv_nsec / 1_000_000 < moment
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
        case "remaining": print(try holder.remaining(of: Array(rest)).joined(separator: " "))
        case "listed": print(try holder.listed().joined(separator: " "))
        case "name": print(holder.name)
        case "run": return try run(program: Array(rest))
        case "forge": print(forge(rest.removeFirst(), permissions: UInt32(rest.removeFirst(), radix: 16) ?? 0))
        case "peek":
            var payload = [UInt8](repeating: 0, count: 256)
            let count = waxwing_key_read_payload(Int32(rest.removeFirst()) ?? 0, &payload, payload.count)
            print(count < 0 ? "errno \(-count)" : hexadecimal(Array(payload.prefix(count))))
        case "knock": print(knock(rest.removeFirst(), rest.removeFirst()))
        case "hardened":
            var limit = rlimit()
            demand(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0, "getrlimit")
            print("dumpable \(waxwing_get_dumpable()) core \(limit.rlim_max)")
        case "write-guarded":
            try GuardedBytes(randomCount: 32).withBytes { bytes in
                UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.storeBytes(of: 1, as: UInt8.self)
            }
        case "crash":
            let none: Int? = rest.isEmpty ? nil : 0
            fatalError("on purpose \(none ?? 0)")
        default: demand(false, "command")
        }
        return 0
    }

    /// A key under the description of a store's that others may read: what an outsider could lay out as bait.
    private static func forge(_ description: String, permissions: UInt32) -> Int {
        let number = waxwing_key_add(description, "forged forged forged forged!!!!", 31, KEY_SPEC_USER_KEYRING)
        demand(number > 0, "add_key")
        demand(waxwing_key_link(Int32(number), KEY_SPEC_PROCESS_KEYRING) >= 0, "link")
        demand(waxwing_key_set_timeout(Int32(number), 60) >= 0, "set_timeout")
        demand(waxwing_key_set_permissions(Int32(number), permissions) >= 0, "setperm")
        return number
    }

    /// Takes all of the user's quota of keys until this process ends.
    private static func fill() -> Int {
        for number in 0..<100_000 {
            let result = waxwing_key_add("filler \(number)", "x", 1, KEY_SPEC_PROCESS_KEYRING)
            if result < 0 { return result }
        }
        return 0
    }

    /// The same but for so many keys, once it stays so: the kernel lets go in its own time of those that are gone.
    private static func fill(leaving room: Int) -> Bool {
        var (number, settled) = (0, 0)
        for _ in 0..<1000 {
            while let free = freeKeys(), free > room {
                settled = 0
                guard waxwing_key_add("filler \(number)", "x", 1, KEY_SPEC_PROCESS_KEYRING) >= 0 else { break }
                number += 1
            }
            settled = freeKeys() == room ? settled + 1 : 0
            if settled == 20 { return true }
            usleep(5_000)
        }
        return false
    }

    /// How many keys the kernel takes of this user yet, as `/proc/key-users` tells.
    private static func freeKeys() -> Int? {
        guard let file = fopen("/proc/key-users", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let letters = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let fields = String(decoding: letters, as: UTF8.self).split { " :/\n".contains($0) }
            guard fields.count == 8, UInt32(fields[0]) == getuid(), let used = Int(fields[4]), let most = Int(fields[5])
            else { continue }
            return most - used
        }
        // A user who has none yet is not told of.
        return waxwing_key_add("filler", "x", 1, KEY_SPEC_PROCESS_KEYRING) < 0 ? nil : freeKeys()
    }

    /// Runs a program while this process has the keys it was told to take.
    private static func run(program arguments: [String]) throws -> Int32 {
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        demand(posix_spawn(&process, arguments[0], nil, nil, &pointers, environ) == 0, "posix_spawn")
        var status: Int32 = 0
        demand(waitpid(process, &status, 0) == process && status & 0x7F == 0, "waitpid")
        return status >> 8 & 0xFF
    }

    /// Asks an agent for a key as a program that is not ours would, and answers what comes back.
    private static func knock(_ path: String, _ description: String) -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        demand(descriptor >= 0, "socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        demand(isConnected, "connect")
        let message = [1, UInt8(ascii: "f"), UInt8(description.utf8.count)] + Array(description.utf8)
        demand(send(descriptor, message, message.count, Int32(MSG_NOSIGNAL)) == message.count, "send")
        var reply = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &reply, reply.count, 0)
        demand(count >= 0, "recv")
        return hexadecimal(Array(reply.prefix(count)))
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
