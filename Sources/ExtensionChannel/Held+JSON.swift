public import EnvelopeFormat
public import OpenerNSE

/// Which of the three answers of a keychain it is.
public enum HeldWord: String, Sendable {
    case value, absent, locked

    public init(_ held: Held<some Sendable>) {
        switch held {
        case .value: self = .value
        case .absent: self = .absent
        case .locked: self = .locked
        }
    }

    /// What the answer `held` of a message says.
    public init(_ json: JSONValue) throws(ChannelError) {
        guard let word = json["held"]?.text.flatMap(HeldWord.init(rawValue:)) else { throw .malformed("answer") }
        self = word
    }

    public var member: JSONMember { JSONMember("held", .string(rawValue)) }
}
