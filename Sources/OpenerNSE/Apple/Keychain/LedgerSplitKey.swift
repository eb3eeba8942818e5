internal import CryptoPrimitives
internal import EnvelopeFormat

/// A key of the split profile in the ledger, and which item of the keychain has its bytes.
struct LedgerSplitKey: Sendable, Equatable {
    /// By which the key is known again when its bytes are erased or locked; 32 bytes.
    let name: [UInt8]
    let conversation: ConversationIdentifier
    /// Seconds since 1970; at it the key still opens.
    let until: Int64
    var state = KeyState.active
    /// nil once the bytes are erased.
    var item: String?

    init(name: [UInt8], conversation: ConversationIdentifier, until: Int64, state: KeyState = .active, item: String?) {
        self.name = name
        self.conversation = conversation
        self.until = until
        self.state = state
        self.item = item
    }

    static func name(of key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("waxwing/1 split-id".utf8), using: key))
    }
}
