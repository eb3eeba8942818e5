/// What a store is for.
public enum StoreRole: String, Sendable, CaseIterable {
    /// The backend: conversation secrets, enrolled devices, bundles, counters.
    case sealer
    /// One emulated phone: its identity key and the epochs it holds.
    case device
}
