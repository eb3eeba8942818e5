/// `suspend`: stops the use of a conversation's secret for a while.
enum SuspendCommand {
    static let row = Command(
        "suspend", "stop sealing to a conversation, or on a device store opening, until resume",
        details: [
            "In a sealer store the active secret is suspended: sealing is refused in every process until `resume`, "
                + "and no rotation takes place by itself. Devices are not told and open what comes.",
            "In a device store every active secret of the conversation is suspended, on this device alone: what comes "
                + "under them shows the placeholder. Bundles are still accepted.",
        ],
        options: [.conversation], example: "suspend --store sealer --conversation chat-1", role: .any,
        changesState: true
    ) { invocation in
        try StateChange.run(invocation) { sealer, conversation, _ in
            try sealer.suspend(conversation, now: invocation.clock)
        } device: { device, conversation, _ in
            try device.suspend(conversation, now: invocation.clock)
        }
    }
}
