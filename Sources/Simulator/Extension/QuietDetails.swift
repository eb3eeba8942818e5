public import EnvelopeFormat
public import OpenerNSE

/// What a notification has beside text and image, and what may stay of it from outside the seal: sound, badge, interruption level and
/// relevance.
public struct QuietDetails: Sendable, Equatable {
    private static let names = ["sound", "badge", "interruption-level", "relevance-score"]

    /// As in `aps`, in the order there is for them.
    public private(set) var members: [JSONMember]

    init(aps: JSONValue?) { members = Self.names.compactMap { name in aps?[name].map { JSONMember(name, $0) } } }

    /// What is left of them when that is shown.
    public func kept(by shown: ShownNotification) -> QuietDetails {
        var kept = self
        if shown.isSilent { kept.members.removeAll { $0.name == "sound" } }
        if shown.isSuppressible { kept.members = [] }
        return kept
    }
}
