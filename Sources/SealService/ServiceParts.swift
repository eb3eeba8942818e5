import KeyStore
import Sealer

/// What endpoints work with.
struct ServiceParts: Sendable {
    let store: SealerStore
    let sealer: PushSealer
    let metrics: Metrics
    /// Whether it is being stopped.
    let isStopping: @Sendable () -> Bool
}
