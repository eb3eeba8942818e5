public import EnvelopeFormat

/// A conversation that is to be made.
public struct Provisioning: Equatable, Sendable {
    public var conversation: ConversationIdentifier
    public var algorithm: KeyAlgorithm
    public var members: [DeviceThumbprint]
    public var accessible: AccessibilityClass
    /// After this time sealing is refused; `split` needs one.
    public var until: Int64?
    /// The age in seconds at which an epoch is left by itself, at least a day; nil for 30 days.
    public var maximumAge: Int64?

    public init(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm, members: [DeviceThumbprint],
        accessible: AccessibilityClass = .standard, until: Int64? = nil, maximumAge: Int64? = nil
    ) {
        self.conversation = conversation
        self.algorithm = algorithm
        self.members = members
        self.accessible = accessible
        self.until = until
        self.maximumAge = maximumAge
    }

    var subject: String { "conversation \(conversation)" }
    var age: Int64 { maximumAge ?? Cryptoperiod.standardMaximumAge }

    /// What can be judged without the store.
    /// - Throws: `.badInput`.
    func check(now: Int64) throws(KeyStoreError) {
        guard accessible.isProvisionable else {
            throw KeyStoreError(.badInput, subject, "\(accessible.rawValue) is not a class a bundle may name")
        }
        guard (Cryptoperiod.leastMaximumAge...Cryptoperiod.greatestMaximumAge).contains(age) else {
            throw KeyStoreError(.badInput, subject, "rotation by age is a day to ten years apart")
        }
        if algorithm == .split {
            guard let until, until > now else {
                throw KeyStoreError(
                    .badInput, subject, "a split key needs an end date in the future", hint: "give --until DATE")
            }
        }
        var named: Set<String> = []
        for member in members where !named.insert(member.string).inserted {
            throw KeyStoreError(.badInput, "device \(member)", "given twice")
        }
    }
}
