internal import EnvelopeFormat

/// A provisioning bundle that was issued. Its ciphertext stays until it is acknowledged or withdrawn, its row for ever.
struct BundleRow: Record {
    enum State: String, Sendable {
        case pending, acknowledged, withdrawn
    }

    static let table = Table.bundle
    let device: DeviceThumbprint
    let sequence: Int64
    let conversation: ConversationIdentifier
    let kid: KeyIdentifier
    let issued: Int64
    let expires: Int64
    private(set) var state: State
    /// The JWE compact string, ASCII.
    private(set) var content: [UInt8]?

    var identifier: String { Self.identifier(device, sequence) }

    /// Names sort as their numbers do: 16 digits hold 2^53.
    static func identifier(_ device: DeviceThumbprint, _ sequence: Int64) -> String {
        let digits = String(sequence)
        return "\(device)/" + String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }

    init(
        device: DeviceThumbprint, sequence: Int64, conversation: ConversationIdentifier, kid: KeyIdentifier,
        issued: Int64, expires: Int64, content: String
    ) {
        self.device = device
        self.sequence = sequence
        self.conversation = conversation
        self.kid = kid
        self.issued = issued
        self.expires = expires
        state = .pending
        self.content = Array(content.utf8)
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        device = try fields.parsed { DeviceThumbprint($0) }
        sequence = try fields.integer()
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        let handle = try fields.text()
        let epoch = try fields.integer()
        guard let kid = KeyIdentifier("\(handle).\(epoch)") else { throw fields.damaged }
        self.kid = kid
        issued = try fields.integer()
        expires = try fields.integer()
        state = try fields.word()
        content = try fields.optionalBlob()
        guard self.identifier.isSame(as: identifier), (state == .pending) == (content != nil) else { throw fields.damaged }
    }

    var values: [FieldValue] {
        [
            .text(device.string), .integer(sequence), .text(conversation.string), .text(kid.handle.string),
            .integer(Int64(kid.epoch)), .integer(issued), .integer(expires), .text(state.rawValue), FieldValue(content),
        ]
    }

    mutating func close(as state: State) {
        self.state = state
        if state != .pending { content = nil }
    }
}
