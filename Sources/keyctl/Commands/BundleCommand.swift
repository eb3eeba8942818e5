import BackendJSON
import EnvelopeFormat
import KeyStore

/// `bundle`: the bundles a device has not acknowledged yet.
enum BundleCommand {
    static let row = Command(
        "bundle", "print the bundles that wait for a device, one a line",
        details: [
            "A bundle delivers a conversation secret, sealed to one device: carry it over any channel, let the device "
                + "`accept` it, then acknowledge it by `bundle ack`. The same bytes are printed until then; one that "
                + "has expired is replaced. The number that `bundle ack` takes is printed by `accept`, and by --json."
        ],
        options: [.device],
        example: "bundle --store sealer --device 3q2-7w", role: .sealer, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let prefix = try invocation.required("device")
        let view = { (sealer: SealerStore) in DeviceView.view(of: try sealer.device(matching: prefix)) }
        return try LongJob.run(invocation, "conversations") { goesOn in
            try withoutActuallyEscaping(goesOn) { goesOn in
                try invocation.change(viewing: view) { (sealer: SealerStore) in
                    let device = try sealer.device(matching: prefix, for: .bundleIssue, now: invocation.clock).thumbprint
                    let bundles = try sealer.pendingBundles(for: device, now: invocation.clock, goesOn: goesOn)
                    return Report(lines: bundles.map(\.bundle), json: BundleForm.json(bundles))
                }
            }
        }
    }
}
