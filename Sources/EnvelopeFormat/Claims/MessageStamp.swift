/// Which message, of when, in which conversation: the claims beside a message's ``Content``.
public struct MessageStamp: Sendable, Equatable {
    public let identifier: MessageIdentifier
    public let validity: Validity
    public let conversation: ConversationIdentifier

    public init(identifier: MessageIdentifier, validity: Validity, conversation: ConversationIdentifier) {
        self.identifier = identifier
        self.validity = validity
        self.conversation = conversation
    }
}
