internal import EnvelopeFormat
internal import OpenerNSE

/// Keeps what opening came to, out of the events of one run.
final class OutcomeKeeper: Telemetry {
    private let kept = Locked<Outcome?>(nil)

    /// nil while nothing was opened.
    var outcome: Outcome? { kept.with { $0 } }

    func record(_ event: TelemetryEvent, at time: Int64) {
        guard case .decryption(let stage) = event else { return }
        switch stage {
        case .attempted: break
        case .succeeded: kept.with { $0 = .opened }
        case .failed(let outcome): kept.with { $0 = outcome }
        }
    }
}
