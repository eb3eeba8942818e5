import BackendJSON
import EnvelopeFormat
import KeyStore

/// `bundle ack`: a device has accepted exactly this bundle.
enum BundleAckCommand {
    static let row = Command(
        "bundle ack", "acknowledge exactly one bundle",
        details: [
            "Acknowledging again changes nothing. When the last member acknowledges a secret in waiting, it is "
                + "promoted at once."
        ],
        options: [.device, .sequence],
        example: "bundle ack --store sealer --device 3q2-7w --seq 1798761600", role: .sealer, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        guard let sequence = try invocation.wholeNumber("seq") else { throw invocation.usage("--seq is missing") }
        let prefix = try invocation.required("device")
        let view = { (sealer: SealerStore) in DeviceView.view(of: try sealer.device(matching: prefix)) }
        return try invocation.change(viewing: view) { (sealer: SealerStore) in
            let device = try sealer.device(
                matching: prefix, for: .bundleAcknowledge, now: invocation.clock
            ).thumbprint
            try sealer.acknowledge(device: device, sequence: sequence, now: invocation.clock)
            return Report(
                lines: ["acknowledged \(sequence)"],
                json: BundleForm.json(acknowledged: sequence, by: device))
        }
    }
}
