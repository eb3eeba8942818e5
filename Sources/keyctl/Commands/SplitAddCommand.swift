import EnvelopeFormat
import KeyStore

/// `split add`: takes a split key into a device store.
enum SplitAddCommand {
    static let row = Command(
        "split add", "take the key of a split conversation; two are kept at most, a third drops the older",
        details: [
            "A key that was revoked or destroyed here is known for good and not taken again; it is none of the two."
        ],
        arguments: [.input("what split export wrote")],
        example: "split add --store phone split.json", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let input = try SecretInput(reading: invocation.inputPath)
        let document = try InputError.naming(invocation.inputPath) {
            try input.withBytes { try SplitKeyDocument(parsing: $0) }
        }
        return try invocation.change(viewing: SplitView.view(of:)) { (device: DeviceStore) in
            try device.splitAdd(
                document.key, conversation: document.conversation, until: document.until, now: invocation.clock)
            return try SplitView.view(of: device).report
        }
    }
}
