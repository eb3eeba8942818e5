import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a device store is shown: what it holds, never key material.
enum HeldKeysView {
    static func view(of device: DeviceStore) throws -> View { try view(of: device, nil) }

    /// - Throws: `notFound` when a conversation is named of which the device holds nothing.
    static func view(of device: DeviceStore, _ conversation: ConversationIdentifier?) throws -> View {
        let identity = try device.identityThumbprint()
        let (lastSequence, allowsSplit, allEpochs, allSplitKeys) = try device.reading { held throws(KeyStoreError) in
            (
                try held.lastSequence(), try held.isSplitAllowed(), try held.heldEpochs(), try held.splitKeys()
            )
        }
        let epochs = allEpochs.filter { conversation == nil || $0.conversation == conversation }.sorted {
            ($0.conversation.string, $0.installOrder, $0.kid.epoch)
                < ($1.conversation.string, $1.installOrder, $1.kid.epoch)
        }
        let splitKeys = allSplitKeys.filter { conversation == nil || $0.conversation == conversation }
        if let conversation, epochs.isEmpty, splitKeys.isEmpty {
            throw CommandError(.notFound, "conversation \(conversation)", "this device holds nothing of it")
        }
        let lines = [
            identity.map { "device \($0)" } ?? "no identity", "last seq \(lastSequence)",
            "split \(allowsSplit ? "allowed" : "denied")",
        ]
        let json = JSONValue.members([
            "device": identity.map { .string($0.string) } ?? .null, "last_seq": .integer(lastSequence),
            "split_allowed": .bool(allowsSplit), "keys": .list(epochs, json),
            "split_keys": .list(splitKeys, SplitView.json),
        ])
        return View(lines: lines + TableLayout.lines(epochs.map(row) + splitKeys.map(SplitView.row)), json: json)
    }

    private static func row(_ epoch: HeldEpochRecord) -> [String] {
        [
            epoch.conversation.string, epoch.algorithm.rawValue, epoch.kid.description, epoch.state.rawValue,
            opening(epoch),
        ]
    }

    /// Until when it opens, if it does.
    private static func opening(_ epoch: HeldEpochRecord) -> String {
        switch epoch.state {
        case .suspended, .compromised, .destroyed: "opens nothing"
        case .preActivation, .active, .deactivated:
            epoch.openUntil.map { "open until \(Timestamp.text($0))" } ?? "open"
        }
    }

    private static func json(_ epoch: HeldEpochRecord) -> JSONValue {
        .members([
            "conversation": .string(epoch.conversation.string), "alg": .string(epoch.algorithm.rawValue),
            "kid": .string(epoch.kid.description), "state": .string(epoch.state.rawValue),
            "accessible": .string(epoch.accessible.rawValue),
            "open_until": epoch.openUntil.map { .integer($0) } ?? .null,
        ])
    }
}
