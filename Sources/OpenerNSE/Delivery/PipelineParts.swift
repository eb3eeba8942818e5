import EnvelopeFormat

/// What the stages of a pipeline use.
struct PipelineParts<Keychain: DeviceKeychain>: Sendable {
    let opener: Opener<Keychain>
    let rendering: (any TextRendering)?
    let images: (any ImageAttaching)?
    let deferred: DeferredQueue?
    let notes: BundleNotes?
    let telemetry: (any Telemetry)?
    let scheduler: any StageScheduler
    let configuration: PipelineConfiguration

    /// What an opening comes to on the screen, with the claims' own text: stage 2.
    func shown(_ opening: Opening) -> ShownNotification {
        guard let content = opening.content else {
            let isAsItCame = opening.outcome == .notSealed && !configuration.isSealedOnly
            return isAsItCame ? .received : ShownNotification(placeholder: opener.placeholder, outcome: opening.outcome)
        }
        var shown = ShownNotification(content, text: opening.shown, outcome: opening.outcome)
        shown.isReplayUnchecked = opening.isReplayUnchecked
        shown.isSuppressible = opening.outcome == .duplicate && configuration.canSuppress
        return shown
    }

    /// The text out of the app's templates: stage 3. Nil where none is asked for.
    func rendered(_ opening: Opening) -> ShownText? {
        guard let rendering, let content = opening.content, content.localizedTitle != nil || content.localizedBody != nil else {
            return nil
        }
        return ShownText(content, rendering: rendering, placeholder: opener.placeholder)
    }
}
