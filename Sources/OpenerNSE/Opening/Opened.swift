import EnvelopeFormat

/// A message that opened.
struct Opened {
    let content: Content
    let isReplayUnchecked: Bool
    let isDuplicate: Bool

    init(_ content: Content, isReplayUnchecked: Bool, isDuplicate: Bool) {
        self.content = content
        self.isReplayUnchecked = isReplayUnchecked
        self.isDuplicate = isDuplicate
    }

    /// A message of the split profile, which has no replay protection.
    init(_ content: Content) { self.init(content, isReplayUnchecked: true, isDuplicate: false) }
}
