import CTestFaults
import EnvelopeFormat
import Glibc
import KeyStore
import Sealer

/// The store and the sealer that stay with the process.
struct Worker {
    private let directory: String
    private let backend: SealerStore
    private let sealer: PushSealer

    init(store directory: String, leasing: Leasing) throws {
        self.directory = directory
        backend = try SealerStore(try Store.open(directory: directory))
        sealer = try PushSealer(backend, leasing: leasing)
    }

    func answer(_ line: String) throws {
        var words = Words(line)
        switch try words.next() {
        // seal NOW REQUEST: `payload KID JTI JSON` for each.
        case "seal": try seal(with: sealer, now: try words.number(), words.rest)
        // run NOW FIRST COUNT FILE CONVERSATION HPKE-CONVERSATION HPKE-EVERY
        case "run": try SealingRun(&words).run(with: sealer)
        // fork NOW REQUEST: a child seals with what the parent has, then with a store of its own.
        case "fork": try fork(now: try words.number(), words.rest)
        case "ratchet", "rekey", "promote", "suspend", "resume", "revoke", "remove":
            try change(line)
            Answer.say("returned \(Answer.time)")
        case "deny-random":
            guard waxwing_test_deny_getrandom() == 0 else { throw WorkerError("seccomp is not to be had") }
        case "limit-files": try limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), try words.number())
        // limit-memory BYTES: so much more address space than now, and no more.
        case "limit-memory":
            try limit(__rlimit_resource_t(RLIMIT_AS.rawValue), try Self.addressSpace() + (try words.number()))
        default: throw WorkerError("no such command")
        }
    }

    private func seal(with sealer: PushSealer, now: Int64, _ request: String) throws {
        for push in try sealer.seal(try SealRequest(parsing: Array(request.utf8)), caller: "worker", now: now) {
            Answer.say("payload \(push.kid) \(push.messageIdentifier) \(String(decoding: push.payload, as: UTF8.self))")
        }
    }

    private func fork(now: Int64, _ request: String) throws {
        let child = waxwing_test_fork()
        guard child >= 0 else { throw WorkerError("fork: errno \(errno)") }
        if child == 0 {
            Answer.end { try seal(with: sealer, now: now, request) }
            Answer.end {
                let backend = try SealerStore(try Store.open(directory: directory))
                try seal(with: try PushSealer(backend, leasing: .doubling), now: now, request)
            }
            _exit(0)
        }
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status == 0 else { throw WorkerError("the child ended with \(status)") }
    }

    private func change(_ line: String) throws {
        var words = Words(line)
        let (what, now, name) = (try words.next(), try words.number(), try words.next())
        if what == "remove" {
            guard let device = DeviceThumbprint(name) else { throw WorkerError("not a thumbprint") }
            return try backend.removeDevice(device, now: now)
        }
        let conversation = try ConversationIdentifier(name)
        switch what {
        case "ratchet": _ = try backend.ratchet(conversation, now: now)
        case "rekey": _ = try backend.rekey(conversation, now: now)
        case "promote": _ = try backend.promote(conversation, force: true, now: now)
        case "suspend": _ = try backend.suspend(conversation, now: now)
        case "resume": _ = try backend.resume(conversation, now: now)
        default: _ = try backend.revoke(conversation, now: now)
        }
    }

    private func limit(_ resource: __rlimit_resource_t, _ value: Int64) throws {
        // Else writing past the limit ends the process, and nobody hears of it.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        guard setrlimit(resource, &limit) == 0 else { throw WorkerError("setrlimit: errno \(errno)") }
    }

    private static func addressSpace() throws -> Int64 {
        guard let file = fopen("/proc/self/statm", "r") else { throw WorkerError("no /proc") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { throw WorkerError("no /proc") }
        return Int64(strtoll(line, nil, 10)) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
