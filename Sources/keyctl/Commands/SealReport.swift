import BackendJSON
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
        let json = try JSONValue.parse(PushForm.json(pushes, of: request.conversation), maximumDepth: PushForm.maximumDepth)
        return Report(plain: pushes.flatMap { $0.payload + [0x0A] }, json: json)
    }
}
