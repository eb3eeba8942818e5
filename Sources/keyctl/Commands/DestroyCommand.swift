import KeyStore

/// `destroy`: leaves nothing of secrets that have ended.
enum DestroyCommand {
    static let row = Command(
        "destroy", "destroy the secrets of a conversation that have ended",
        details: [
            "All of its deactivated and compromised secrets, or with --handle one, which may also be one that waits. "
                + "What is in use is to be retired first; no option overrides that.",
            "In a sealer store refused, with the census, while pushes sealed under it may be on their way, devices open them, or a "
                + "member has acknowledged nothing later; `census` says until when. --force destroys it all the same.",
            "In a device store the bytes are erased and the names stay known, so that no bundle brings them back.",
        ],
        options: [
            .conversation, .handle,
            OptionSpec("force", nil, "though the census says that something depends on it; on a sealer store"),
        ],
        example: "destroy --store sealer --conversation chat-1", role: .any, changesState: true
    ) { invocation in
        try StateChange.run(invocation) { sealer, conversation, handle in
            let reasons = { (census: Census) in
                census.secrets.filter { handle == nil || $0.handle == handle }.flatMap(\.dependents)
            }
            return try invocation.withCensus(of: conversation, in: sealer, reasons: reasons) {
                try sealer.destroy(
                    conversation, handle: handle, force: invocation.has("force"), now: invocation.clock)
            }
        } device: { device, conversation, handle in
            guard !invocation.has("force") else {
                throw invocation.usage("--force is for a sealer store; a device store has no census")
            }
            try device.destroy(conversation, handle: handle, now: invocation.clock)
        }
    }
}
