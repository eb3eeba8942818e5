import EnvelopeFormat

/// `census`: who and what depends on a conversation's secrets.
enum CensusCommand {
    static let row = Command(
        "census", "say who and what still depends on a conversation's secrets",
        details: [
            "For each member what it acknowledged and which bundles wait for it. For each secret until when the push "
                + "service may hold what was sealed under it, until when devices open that, and what stands in the "
                + "way of `retire` or `destroy`."
        ],
        arguments: [ArgumentSpec("CID", "the conversation's name")],
        example: "census --store sealer chat-1", role: .sealer
    ) { invocation in
        let conversation = try ConversationIdentifier(invocation.arguments[0])
        let census = try invocation.openSealerStore().census(conversation, now: invocation.clock)
        return CensusView.view(of: census).report
    }
}
