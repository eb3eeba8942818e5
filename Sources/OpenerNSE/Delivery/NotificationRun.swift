import EnvelopeFormat

/// The way of one notification through the stages, kept apart from all others.
///
/// The best attempt so far can be delivered at every moment: a stage that fails or is late costs its own result, and whoever
/// comes to deliver second finds nothing to do. What the app is to learn is written before the handler is called, since the
/// process may be stopped as soon as it was; that it was shown, only after it has returned.
public final class NotificationRun<Keychain: DeviceKeychain>: Sendable {
    private let incoming: IncomingNotification
    private let parts: PipelineParts<Keychain>
    private let delivery: Delivery
    private let began: Duration
    private let confirmation = Locked(Confirmation())

    init(
        _ incoming: IncomingNotification, _ parts: PipelineParts<Keychain>,
        handler: @escaping @Sendable (ShownNotification) -> Void
    ) {
        self.incoming = incoming
        self.parts = parts
        began = parts.scheduler.elapsed
        let unopened = ShownNotification(placeholder: parts.opener.placeholder, outcome: .timeExpired)
        delivery = Delivery(best: unopened, handler: handler)
    }

    /// Whether the handler was called.
    public var isDelivered: Bool { delivery.isDelivered }

    /// Whether nothing of it is under way any more, behind the handler neither.
    public var isEnded: Bool { confirmation.with { $0.workerCount == 0 } }

    /// Starts the clock and the stages. Nothing is done on this thread that could be held up.
    func begin() {
        confirmation.with { $0.workerCount += 1 }
        // Whoever works on it keeps it.
        parts.scheduler.run(after: parts.configuration.deadline) { [weak self] in self?.expire() }
        parts.scheduler.run { [self] in open() }
    }

    /// The system's time is up, or ours: the best attempt is delivered now.
    public func expire() {
        confirmation.with { $0.workerCount += 1 }
        deliver(isExpired: true)
        confirmation.with { $0.workerCount -= 1 }
    }

    /// Stages 1 and 2, and what is behind them.
    private func open() {
        tell(.started)
        let entry = parts.deferred?.begin(incoming)
        tell(.decryption(.attempted))
        let opening = parts.opener.open(sealed: incoming.sealed, arrival: incoming.arrival, now: now)
        var shown = parts.shown(opening)
        // Only what was shown to the end need not be shown again.
        shown.isSuppressible = shown.isSuppressible && parts.deferred?.wasShown(entry) == true
        let attempt = DeliveryAttempt(shown: shown)
        let isInTime = delivery.improve { $0 = attempt }
        if isInTime { tell(.decryption(opening.content == nil ? .failed(opening.outcome) : .succeeded)) }
        switch parts.deferred?.settle(entry, incoming, opening.outcome, isShown: isInTime) {
        case .underWay(let shown): confirm { $0.entry = shown }
        case .queued(let isNew): tell(.deferred(isNew: isNew))
        case .refused(let reason): tell(.refused(reason))
        case .settled: break
        // Without a queue what should wait is lost.
        case nil: if opening.outcome.waits(isShown: isInTime) { tell(.refused(.storage)) }
        }
        if opening.outcome == .unknownKey { parts.notes?.add(opening.keyIdentifier, at: now) }
        guard isInTime else { return finish() }
        render(opening)
        guard let images = parts.images, let source = imageSource(opening) else { return finish() }
        parts.scheduler.runLong { [self] in
            attach(source, images)
            finish()
        }
    }

    /// Stage 3. Until it is through, and where it never is, the claims' own text is the best attempt.
    private func render(_ opening: Opening) {
        guard let text = parts.rendered(opening) else { return }
        delivery.improve { $0.shown.text = text }
    }

    /// Stage 4. Of an image that is late whoever delivered without it has told; one that nobody waits for is not begun.
    private func attach(_ source: ImageSource, _ images: any ImageAttaching) {
        guard !delivery.isDecided else { return }
        tell(.image(.attempted))
        guard delivery.improve({ $0.awaitsImage = true }) else { return tell(.image(.failed(.timeout))) }
        do throws(ImageFailure) {
            let left = parts.configuration.deadline - (parts.scheduler.elapsed - began)
            guard left > .zero, !delivery.isDecided else { throw .timeout }
            let image = try images.attach(source, within: left) { [delivery] in !delivery.isDecided }
            if endImage(image) { tell(.image(.succeeded(unscaled: image.unscaled))) }
        } catch {
            if endImage(nil) { tell(.image(.failed(error))) }
        }
    }

    private func endImage(_ image: AttachedImage?) -> Bool {
        delivery.improve { best in
            best.shown.attachment = image
            best.awaitsImage = false
        }
    }

    /// Stage 5.
    private func finish() {
        deliver(isExpired: false)
        confirmation.with { $0.workerCount -= 1 }
    }

    private func imageSource(_ opening: Opening) -> ImageSource? {
        if let image = opening.content?.image { return .claimed(image) }
        guard opening.outcome == .notSealed, !parts.configuration.isSealedOnly else { return nil }
        return incoming.imageURL.map(ImageSource.clear)
    }

    private func deliver(isExpired: Bool) {
        if let attempt = delivery.decide() {
            let time = parts.scheduler.elapsed - began
            if isExpired {
                if attempt.shown.outcome == .timeExpired { tell(.decryption(.failed(.timeExpired))) }
                if attempt.awaitsImage { tell(.image(.failed(.timeout))) }
                tell(.expired)
            }
            tell(.delivered(after: time))
        }
        if delivery.deliver() { confirm { $0.hasReturned = true } }
    }

    private func confirm(_ change: (inout Confirmation) -> Void) {
        let entry = confirmation.with { confirmation in
            change(&confirmation)
            return confirmation.take()
        }
        parts.deferred?.finish(entry)
    }

    private var now: Int64 { incoming.arrival + (parts.scheduler.elapsed - began).components.seconds }

    private func tell(_ event: TelemetryEvent) { parts.telemetry?.record(event, at: now) }
}
