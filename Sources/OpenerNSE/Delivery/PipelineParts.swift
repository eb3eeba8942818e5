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

    /// What an opening comes to on the screen: stages 2 and 3.
    func shown(_ opening: Opening) -> ShownNotification {
        guard let content = opening.content else {
            let isAsItCame = opening.outcome == .notSealed && !configuration.isSealedOnly
            return isAsItCame ? .received : ShownNotification(placeholder: opener.placeholder, outcome: opening.outcome)
        }
        let text = ShownText(content, rendering: rendering, placeholder: opener.placeholder)
        var shown = ShownNotification(content, text: text, outcome: opening.outcome)
        shown.isSuppressible = opening.outcome == .duplicate && configuration.canSuppress
        return shown
    }
}
