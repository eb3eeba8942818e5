import EnvelopeFormat
import KeyStore
import OpenerNSE
import Synchronization

@testable import Simulator

/// An extension in the process of the test: the whole pipeline over a keychain, with queue and notes in a shared container.
struct InlineExtension {
    let queue: DeferredQueue
    let notes: BundleNotes

    /// What came of one notification.
    struct Result {
        let shown: ShownNotification
        let outcome: Outcome?
    }

    /// - Parameter container: a directory that is made.
    init(container: String) throws {
        notes = BundleNotes(try ContainerDirectory(container))
        queue = try DeferredQueue(container + "/queue")
    }

    func receive<Keychain: DeviceKeychain>(
        _ sealed: SealedMember, imageURL: String? = nil, images: (any ImageAttaching)? = nil, rendering: (any TextRendering)? = nil,
        opener: Opener<Keychain>, isSealedOnly: Bool = false, now: Int64
    ) throws -> Result {
        let (shown, outcome) = (Kept<[ShownNotification]>([]), Kept<Outcome?>(nil))
        let pipeline = NotificationPipeline(
            opener: opener, rendering: rendering, images: images, deferred: queue, notes: notes, telemetry: OutcomeOnly(kept: outcome),
            scheduler: InlineScheduler(), configuration: PipelineConfiguration(isSealedOnly: isSealedOnly))
        let incoming = IncomingNotification(identifier: "request", sealed: sealed, imageURL: imageURL, arrival: now)
        pipeline.receive(incoming) { notification in shown.change { $0.append(notification) } }
        guard shown.value.count == 1 else { throw NotOnce(count: shown.value.count) }
        return Result(shown: shown.value[0], outcome: outcome.value)
    }

    struct NotOnce: Error { let count: Int }
}

/// A value that is told from inside a handler.
final class Kept<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>
    init(_ value: Value) { kept = Mutex(value) }
    var value: Value { kept.withLock { $0 } }
    func change(_ body: (inout sending Value) -> Void) { kept.withLock { body(&$0) } }
}

private struct OutcomeOnly: Telemetry {
    let kept: Kept<Outcome?>

    func record(_ event: TelemetryEvent, at time: Int64) {
        switch event {
        case .decryption(.failed(let outcome)): kept.change { $0 = outcome }
        case .decryption(.succeeded): kept.change { $0 = .opened }
        default: break
        }
    }
}

extension ShownNotification {
    /// Whether nothing is in it but the app's own placeholder.
    func isExactly(placeholder: ShownText) -> Bool {
        base == .placeholder && text == placeholder && thread == nil && category == nil && userInfo.isEmpty && attachment == nil
            && !isSilent && !isSuppressible
    }
}
