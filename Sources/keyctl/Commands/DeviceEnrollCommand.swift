import BackendJSON
import EnvelopeFormat
import KeyStore

/// `device enroll`: takes a device's enrollment document into the sealer store.
enum DeviceEnrollCommand {
    static let row = Command(
        "device enroll", "enroll a device by its enrollment document and print its thumbprint",
        details: [
            "The same document again changes nothing. The same key with another secret is refused, unless the device "
                + "is removed first.",
            "With --replaces the memberships of the old device move to this one, and the old device is removed. "
                + "Interrupted, it is resumed by repeating it, or by `device remove` of the old device, which goes on "
                + "moving them. `device remove` of the new one ends it: the old one keeps those that have not moved.",
        ],
        arguments: [.input("the enrollment document")],
        options: [OptionSpec("replaces", "ID", "the device that this one takes the place of")],
        example: "device enroll --store sealer enrollment.json", role: .sealer, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let input = try SecretInput(reading: invocation.inputPath)
        let document = try InputError.naming(invocation.inputPath) {
            try input.withBytes { try EnrollmentDocument(parsing: $0) }
        }
        return try invocation.changeMemberships { sealer, goesOn in
            let old = try invocation.value("replaces").map {
                try sealer.device(matching: $0, replacedBy: document.thumbprint, now: invocation.clock)
            }
            let replaced = old?.thumbprint
            let (device, isNew) = try sealer.enroll(
                document, replaces: replaced, now: invocation.clock, goesOn: goesOn)
            if !invocation.isDryRun { note(isNew: isNew, replaced: old, invocation) }
            let json = DeviceForm.json(device, isNew: isNew, replaced: replaced)
            return Report(lines: [device.thumbprint.string], json: json)
        }
    }

    private static func note(
        isNew: Bool, replaced: (thumbprint: DeviceThumbprint, isReplaced: Bool)?, _ invocation: Invocation
    ) {
        if let replaced, replaced.isReplaced {
            invocation.note("this device has taken the place of \(replaced.thumbprint) already; nothing has changed")
        } else if let replaced {
            if !isNew { invocation.note("this device was enrolled already") }
            invocation.note("device \(replaced.thumbprint) is replaced and removed; its conversations have fresh secrets")
        } else if !isNew {
            invocation.note("this device is enrolled already; nothing has changed")
        }
    }
}
