import EnvelopeFormat

/// The way of one notification through the stages, kept apart from all others.
///
/// The best attempt so far can be delivered at every moment: a stage that fails or is late costs its own result, and whoever
/// comes to deliver second finds nothing to do.
public final class NotificationRun<Keychain: DeviceKeychain>: Sendable {
    private let incoming: IncomingNotification
    private let parts: PipelineParts<Keychain>
    private let delivery: Delivery
    private let began: Duration
    /// Whether what opening came to is the best attempt.
    private let isOpened = Locked(false)
    private let hasEnded = Locked(false)

    init(
        _ incoming: IncomingNotification, _ parts: PipelineParts<Keychain>,
        handler: @escaping @Sendable (ShownNotification) -> Void
    ) {
        self.incoming = incoming
        self.parts = parts
        began = parts.scheduler.elapsed
        delivery = Delivery(best: ShownNotification(placeholder: parts.opener.placeholder), handler: handler)
    }

    /// Whether the handler was called.
    public var isDelivered: Bool { delivery.isDelivered }

    /// Whether nothing of it is under way any more, behind the handler neither.
    public var isEnded: Bool { hasEnded.with { $0 } }

    /// Starts the stages and the clock.
    func begin() {
        tell(.started)
        parts.scheduler.run(after: parts.configuration.deadline) { [self] in expire() }
        parts.scheduler.run { [self] in open() }
    }

    /// The system's time is up, or ours: the best attempt is delivered now.
    public func expire() {
        guard deliver() else { return }
        if !isOpened.with({ $0 }) { tell(.decryption(.failed(.timeExpired))) }
        tell(.expired)
    }

    /// Stages 1 to 3.
    private func open() {
        let entry = parts.deferred?.begin(incoming)
        tell(.decryption(.attempted))
        let opening = parts.opener.open(sealed: incoming.sealed, arrival: incoming.arrival, now: now)
        var shown = parts.shown(opening)
        // Only what was shown to the end need not be shown again.
        shown.isSuppressible = shown.isSuppressible && parts.deferred?.wasShown(entry) == true
        let attempt = shown
        let isInTime = delivery.improve { best in
            best = attempt
            isOpened.with { $0 = true }
        }
        if isInTime { tell(.decryption(opening.content == nil ? .failed(opening.outcome) : .succeeded)) }
        let open = parts.deferred?.settle(entry, incoming, opening.outcome, isShown: isInTime)
        if opening.outcome == .unknownKey { parts.notes?.add(opening.keyIdentifier, at: now) }
        guard isInTime, let source = imageSource(opening), let images = parts.images else { return finish(open) }
        parts.scheduler.run { [self] in
            attach(source, images)
            finish(open)
        }
    }

    /// Stage 4.
    private func attach(_ source: ImageSource, _ images: any ImageAttaching) {
        tell(.image(.attempted))
        do throws(ImageFailure) {
            let left = parts.configuration.deadline - (parts.scheduler.elapsed - began)
            guard left > .zero, !delivery.isDelivered else { throw .timeout }
            let image = try images.attach(source, within: left) { [delivery] in !delivery.isDelivered }
            guard delivery.improve({ $0.attachment = image }) else { throw .timeout }
            tell(.image(.succeeded))
        } catch {
            tell(.image(.failed(error)))
        }
    }

    /// Stage 5.
    private func finish(_ entry: DeferredEntry?) {
        deliver()
        parts.deferred?.finish(entry)
        hasEnded.with { $0 = true }
    }

    private func imageSource(_ opening: Opening) -> ImageSource? {
        if let image = opening.content?.image { return .claimed(image) }
        guard opening.outcome == .notSealed, !parts.configuration.isSealedOnly else { return nil }
        return incoming.imageURL.map(ImageSource.clear)
    }

    @discardableResult
    private func deliver() -> Bool {
        guard delivery.deliver() else { return false }
        tell(.delivered(after: parts.scheduler.elapsed - began))
        return true
    }

    private var now: Int64 { incoming.arrival + (parts.scheduler.elapsed - began).components.seconds }

    private func tell(_ event: TelemetryEvent) { parts.telemetry?.record(event, at: now) }
}
