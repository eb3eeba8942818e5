/// `revoke`: gives a secret up as compromised.
enum RevokeCommand {
    static let row = Command(
        "revoke", "give a conversation's secret up as compromised",
        details: [
            "In a sealer store sealing goes on at once under a fresh secret; members show the placeholder until they "
                + "accept their bundle. A rekey that waits is discarded, as are bundles of the secret. With --handle "
                + "it may be a secret that waits or has ended.",
            "Devices are not told: a phone follows once it opens something under the fresh secret, and 35 days later "
                + "opens nothing under the old. In a device store every secret of the conversation is given up, or "
                + "with --handle that one: this device opens nothing under it any more, whatever bundles come.",
        ],
        options: [.conversation, .handle], example: "revoke --store sealer --conversation chat-1", role: .any,
        changesState: true
    ) { invocation in
        try StateChange.run(invocation) { sealer, conversation, handle in
            guard let handle else { return try sealer.revoke(conversation, now: invocation.clock) }
            return try sealer.revoke(conversation, handle: handle, now: invocation.clock)
        } device: { device, conversation, handle in
            try device.revoke(conversation, handle: handle, now: invocation.clock)
        }
    }
}
