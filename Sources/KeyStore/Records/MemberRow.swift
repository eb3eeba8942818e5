internal import EnvelopeFormat

/// That a device is in a conversation.
struct MemberRow: Record {
    static let table = Table.member
    let device: DeviceThumbprint
    let conversation: ConversationIdentifier
    let added: Int64
    /// What it acknowledged last, of the active or the waiting secret.
    var acknowledged: KeyIdentifier?

    var identifier: String { Self.identifier(device, conversation) }

    static func identifier(_ device: DeviceThumbprint, _ conversation: ConversationIdentifier) -> String {
        "\(device)/\(conversation)"
    }

    init(device: DeviceThumbprint, conversation: ConversationIdentifier, added: Int64) {
        self.device = device
        self.conversation = conversation
        self.added = added
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        device = try fields.parsed { DeviceThumbprint($0) }
        added = try fields.integer()
        if let text = try fields.optionalText() {
            guard let kid = KeyIdentifier(text) else { throw fields.damaged }
            acknowledged = kid
        }
        guard self.identifier.isSame(as: identifier) else { throw fields.damaged }
    }

    var values: [FieldValue] {
        [
            .text(conversation.string), .text(device.string), .integer(added), FieldValue(acknowledged?.description),
        ]
    }
}
