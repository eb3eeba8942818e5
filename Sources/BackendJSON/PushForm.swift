package import EnvelopeFormat
package import Sealer

/// What a seal came to, as scripts and backends are told: each payload as JSON, and in base64 as the exact bytes to be sent.
package enum PushForm {
    /// Of the whole: a payload's own levels, and those around it.
    package static let maximumDepth = 24

    package static func json(_ pushes: [SealedPush], of conversation: ConversationIdentifier) -> [UInt8] {
        var writer = ByteWriter(capacity: 512 + pushes.reduce(0) { $0 + $1.payload.count * 5 / 2 + 512 })
        append(pushes, of: conversation, to: &writer)
        return writer.bytes
    }

    package static func append(_ pushes: [SealedPush], of conversation: ConversationIdentifier, to writer: inout ByteWriter) {
        writer.append(#"{"conversation":"#)
        writer.append(quoted: conversation.string)
        writer.append(#","payloads":["#)
        for (index, push) in pushes.enumerated() {
            if index > 0 { writer.append(",") }
            append(push, to: &writer)
        }
        writer.append("]}")
    }

    private static func append(_ push: SealedPush, to writer: inout ByteWriter) {
        writer.append(#"{"platform":""#)
        writer.append(text: push.platform.rawValue)
        if let device = push.device {
            writer.append(#"","device":""#)
            writer.append(text: device.string)
            writer.append(#"","payload":"#)
        } else {
            writer.append(#"","device":null,"payload":"#)
        }
        writer.append(push.payload)
        writer.append(#","payload_base64":""#)
        writer.append(base64: push.payload)
        writer.append(#"","headers":{"#)
        for (index, header) in push.headers.enumerated() {
            if index > 0 { writer.append(",") }
            writer.append(quoted: header.name)
            writer.append(":")
            writer.append(quoted: header.value)
        }
        writer.append(#"},"jti":""#)
        writer.append(text: push.messageIdentifier.description)
        writer.append(#"","kid":""#)
        writer.append(text: push.kid.description)
        writer.append(#"","bytes":"#)
        writer.append(decimal: Int64(push.byteCount))
        writer.append(#","bytes_left":"#)
        writer.append(decimal: Int64(push.bytesLeft))
        writer.append(push.isTruncated ? #","truncated":true}"# : #","truncated":false}"#)
    }
}
