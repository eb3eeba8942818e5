import EnvelopeFormat
import Glibc
import OpenerNSE

/// Notifications on their way to the handler: what opens, what is locked, what was never sealed and has an image.
enum DeliveryWork {
    /// Jobs at once and where they are asked for; no time is ever over.
    private struct AtOnce: StageScheduler {
        var elapsed: Duration { .zero }
        func run(_ job: @escaping @Sendable () -> Void) { job() }
        func runLong(_ job: @escaping @Sendable () -> Void) { job() }
        func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) {}
    }

    /// What is no image, a hundred bytes of it.
    private struct NoImage: ImageFetching {
        func fetch(
            _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
        ) throws(ImageFailure) {
            _ = body([UInt8](repeating: 7, count: 100))
        }
    }

    private static let keychain = WorkKeychain()

    private static func pipeline(
        in folder: String, _ scheduler: any StageScheduler
    ) throws(ContainerError) -> NotificationPipeline<WorkKeychain> {
        let container = try ContainerDirectory(folder)
        return NotificationPipeline(
            opener: Opener(keychain: keychain, replays: NoReplays(), configuration: OpenerConfiguration(allowsSplit: true)),
            images: try ImageStage(directory: folder + "/images", fetcher: NoImage(), scaler: nil),
            deferred: try DeferredQueue(folder + "/queue"), notes: BundleNotes(container), telemetry: TelemetryRing(container),
            scheduler: scheduler)
    }

    /// One of the three kinds.
    private static func incoming(_ number: Int) -> IncomingNotification {
        let sealed: SealedMember =
            switch number % 3 {
            case 0: (try? keychain.sealed("inside")) ?? .other
            case 1: .string(locked(number))
            default: .absent
            }
        return IncomingNotification(
            identifier: "\(number)", sealed: sealed, imageURL: "https://example.com/a", arrival: 1_700_000_000)
    }

    private static func locked(_ number: Int) -> String {
        let header = #"{"alg":"dir","enc":"A256GCM","kid":"AAAAAAAAAAAAAAAA.0","typ":"wax1"}"#
        let ciphertext = Array("\(number)".utf8) + [UInt8](repeating: 1, count: 300)
        let parts = [[], [UInt8](repeating: 1, count: 12), ciphertext, [UInt8](repeating: 1, count: 16)]
        return ([Base64URL.encode(Array(header.utf8))] + parts.map { Base64URL.encode($0) }).joined(separator: ".")
    }

    /// Each kind once.
    static func all(in folder: String) throws(ContainerError) {
        let pipeline = try pipeline(in: folder, AtOnce())
        for number in 0..<3 {
            pipeline.receive(incoming(number)) { shown in
                Main.say("shown \(number) \(shown.outcome.rawValue) \(shown.text.body ?? "-")")
            }
        }
    }

    /// Killed as soon as the handler was called.
    static func dying(in folder: String, _ number: Int) throws(ContainerError) {
        try pipeline(in: folder, AtOnce()).receive(incoming(number)) { _ in kill(getpid(), SIGKILL) }
    }

    /// On the system's threads, and what is open of files before and after.
    static func many(in folder: String, _ count: Int) throws(ContainerError) {
        try round(in: folder, 3)
        Main.say("open \(openCount())")
        try round(in: folder, count)
        Main.say("open \(openCount())")
    }

    private static func round(in folder: String, _ count: Int) throws(ContainerError) {
        let pipeline = try pipeline(in: folder, SystemScheduler())
        let runs = (0..<count).map { number in
            pipeline.receive(incoming(number)) { _ in Main.say("shown \(number)") }
        }
        for (number, run) in runs.enumerated() {
            if number % 11 == 0 { run.expire() }
            while !run.isEnded { usleep(100) }
        }
    }

    private static func openCount() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
