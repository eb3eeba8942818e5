import EnvelopeFormat
import KeyStore
import Sealer

/// What `seal` prints.
enum SealReport {
    /// - Throws: `usage` when more than one payload would be printed, which takes `--json`.
    static func requireOne(
        _ request: SealRequest, _ conversation: ConversationRecord, _ invocation: Invocation
    ) throws(CommandError) {
        if conversation.algorithm == .hpke7 && request.device == nil && conversation.members.count > 1 {
            throw invocation.usage(
                "the conversation has \(conversation.members.count) members and each has a payload of its own",
                hint: "choose one with --device ID, or print all with --json")
        }
        guard request.platform != .both else {
            throw invocation.usage("two platforms are two payloads", hint: "print both with --json")
        }
    }

    static func report(_ pushes: [SealedPush], _ request: SealRequest) throws -> Report {
        let payloads = try pushes.map(json)
        let json = JSONValue.members([
            "conversation": .string(request.conversation.string), "payloads": .array(payloads),
        ])
        return Report(plain: pushes.flatMap { $0.payload + [0x0A] }, json: json)
    }

    private static func json(_ push: SealedPush) throws -> JSONValue {
        .members([
            "platform": .string(push.platform.rawValue), "device": push.device.map { .string($0.string) } ?? .null,
            "payload": try JSONValue.parse(push.payload),
            "payload_base64": .string(Base64.encode(push.payload)),
            "headers": .object(push.headers.map { JSONMember($0.name, .string($0.value)) }),
            "jti": .string("\(push.messageIdentifier)"), "kid": .string("\(push.kid)"),
            "bytes": .integer(push.byteCount), "bytes_left": .integer(push.bytesLeft),
            "truncated": .bool(push.isTruncated),
        ])
    }
}
