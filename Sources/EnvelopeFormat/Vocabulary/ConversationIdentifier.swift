/// The name of a conversation (`cid`): 1 to 64 bytes of 0x21 to 0x7E. It never travels in the clear.
public struct ConversationIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The name, ASCII only.
    public let string: String

    /// - Throws: ``FormatError`` when the name is empty, over 64 bytes, or holds a byte outside 0x21 to 0x7E.
    public init(_ string: String) throws(FormatError) {
        let utf8 = string.utf8
        guard (1...64).contains(utf8.count), utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw FormatError(
                field: "conversation", reason: "1 to 64 printable ASCII characters without spaces are needed")
        }
        self.string = string
    }

    public var description: String { string }
}
