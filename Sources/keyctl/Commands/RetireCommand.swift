import BackendJSON

/// `retire`: ends sealing in a conversation.
enum RetireCommand {
    static let row = Command(
        "retire", "end sealing to a conversation; what was sealed opens on",
        details: [
            "The secret is deactivated and none takes its place: sealing is refused. Devices open what was sealed. "
                + "A member that is added later begins a fresh secret.",
            "Refused, with the census, while a member has not acknowledged the secret, or a rekey waits. --force retires it all the "
                + "same and discards the rekey; bundles of the secret stay in `bundle`.",
        ],
        options: [.conversation, OptionSpec("force", nil, "though the census says that something depends on it")],
        example: "retire --store sealer --conversation chat-1", role: .sealer, changesState: true
    ) { invocation in
        try ConversationChange.run(invocation) { sealer, conversation in
            ConversationResult(
                try invocation.withCensus(of: conversation, in: sealer, reasons: \.dependents) {
                    try sealer.retire(conversation, force: invocation.has("force"), now: invocation.clock)
                })
        }
    }
}
