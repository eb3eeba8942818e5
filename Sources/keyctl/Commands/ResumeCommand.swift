/// `resume`: takes back what `suspend` did.
enum ResumeCommand {
    static let row = Command(
        "resume", "make the suspended secret of a conversation active again",
        details: [
            "In a sealer store a rekey that every member has acknowledged meanwhile, or whose time has come, is "
                + "promoted at once."
        ],
        options: [.conversation], example: "resume --store sealer --conversation chat-1", role: .any,
        changesState: true
    ) { invocation in
        try StateChange.run(invocation) { sealer, conversation, _ in
            try sealer.resume(conversation, now: invocation.clock)
        } device: { device, conversation, _ in
            try device.resume(conversation, now: invocation.clock)
        }
    }
}
