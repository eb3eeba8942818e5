import BackendJSON
import EnvelopeFormat
import KeyStore

/// `promote`: seals under the secret in waiting from now on.
enum PromoteCommand {
    static let row = Command(
        "promote", "seal under the secret in waiting from now on",
        details: [
            "Refused while a member has not acknowledged it, unless the time of --promote-after has passed; --force promotes "
                + "all the same. Their bundles stay valid."
        ],
        options: [.conversation, OptionSpec("force", nil, "though members have not acknowledged it")],
        example: "promote --store sealer --conversation chat-1", role: .sealer, changesState: true
    ) { invocation in
        try ConversationChange.run(invocation) { sealer, conversation in
            let kid = try sealer.promote(conversation, force: invocation.has("force"), now: invocation.clock)
            return try ConversationResult(kid, of: conversation, in: sealer)
        }
    }
}
