import EnvelopeFormat
import Glibc
import KeyStore
import OpenerNSE
import Simulator

extension CrashOperation {
    /// What changes the shared container beside a store: killed like all others; what it answers where nothing can be written is a
    /// container's error and no store's, and shown elsewhere.
    public static let draining = [
        CrashOperation(
            "drain", prepare: { try $0.haveSomeWait() },
            // Each message is remembered, shown and confirmed by itself; what is done again shows the rest.
            [.act(isGradual: true, isEntered: false) { try $0.drain() }])
    ]
}

extension CrashScene {
    private static let waiting = 3
    private var container: String { folder + "/container" }
    /// What a person has seen: one letter a message.
    private var shownFile: String { folder + "/shown" }

    /// Pushes that came to a phone which nobody had unlocked since it started.
    func haveSomeWait() throws {
        let (phone, secret) = (try phone(0), try phoneSecret(0))
        let pushes = try (0..<Self.waiting).map { _ in try seal(Self.direct, for: 0) }
        try phone.store.lock(restart: true, now: now)
        let app = SimulatedApp(program: try Self.extensionProgram(), container: container)
        for (number, push) in pushes.enumerated() {
            try SimulatedDevice(phone).receive(try APNsFile(push), identifier: "\(number)", app: app, now: now) { _ in }
        }
        try phone.store.unlock(secret, now: now)
    }

    /// Beside the program that prepares.
    private static func extensionProgram() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw CrashFailure("/proc/self/exe: errno \(errno)") }
        let own = buffer.withUnsafeBytes { String(decoding: $0.prefix(count), as: UTF8.self) }
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/waxwing-extension"
    }

    /// Opens what waits, as the app does; each message is on the screen when its letter is in the file.
    /// - Throws: ``CrashFailure`` unless by the end each was shown, in the order of arrival, and none more than twice.
    func drain() throws {
        let app = SimulatedApp(program: "", container: container)
        let isAlone = try SimulatedDevice(try phone(0)).drain(app, now: now) { message in
            guard message.text.body == "to phone 0" else {
                throw CrashFailure("\(message.identifier) shows \(message.outcome.rawValue)")
            }
            let file = Glibc.open(shownFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw CrashFailure("\(shownFile): errno \(errno)") }
            defer { Glibc.close(file) }
            let bytes = Array(message.identifier.utf8)
            guard write(file, bytes, bytes.count) == bytes.count else { throw CrashFailure("\(shownFile): errno \(errno)") }
        }
        guard isAlone else { throw CrashFailure("another drain is at it, or its claim was left") }
        let shown = Array(String(decoding: try Files.read(shownFile) ?? [], as: UTF8.self))
        let expected = (0..<Self.waiting).map { Character("\($0)") }
        let first = shown.reduce(into: [Character]()) { if !$0.contains($1) { $0.append($1) } }
        guard first == expected, expected.allSatisfy({ one in shown.count { $0 == one } <= 2 }) else {
            throw CrashFailure("of \(Self.waiting) messages were shown: \(String(shown))")
        }
        guard try DeferredQueue(container + "/queue").count() == 0 else { throw CrashFailure("something waits on") }
    }
}
