import BackendJSON
import EnvelopeFormat
import KeyStore

/// `device remove`: forgets an enrolled device and cuts it off from its conversations.
enum DeviceRemoveCommand {
    static let row = Command(
        "device remove", "remove a device: its bundles, its enrollment secret, its memberships",
        details: [
            "Each of its conversations seals under a fresh secret at once; its other members show the placeholder "
                + "until they accept their new bundle. A removal that was interrupted is resumed by repeating it; a "
                + "replacement too, whose memberships go on moving to the new device."
        ],
        arguments: [ArgumentSpec("ID", "the thumbprint, or an unambiguous start of it")],
        example: "device remove --store sealer 3q2-7w", role: .sealer, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        try invocation.changeMemberships { sealer, goesOn in
            let thumbprint = try sealer.device(
                matching: invocation.arguments[0], for: .deviceRemove, now: invocation.clock
            ).thumbprint
            try sealer.removeDevice(thumbprint, now: invocation.clock, goesOn: goesOn)
            return Report(
                lines: ["removed \(thumbprint)"],
                json: DeviceForm.json(removed: thumbprint))
        }
    }
}
