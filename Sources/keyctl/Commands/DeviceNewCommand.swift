import EnvelopeFormat
import KeyStore

/// `device new`: makes the identity key of a device store.
enum DeviceNewCommand {
    static let row = Command(
        "device new", "make the identity key of this device and print its enrollment document",
        details: [
            "The document is for the backend's `device enroll`. It holds the enrollment secret: carry it over a "
                + "channel that is yours alone. It goes into the new file of --output, mode 0600, else to standard output."
        ],
        options: [OptionSpec("name", "N", "a name for people", isRequired: true), EnrollmentOutput.option],
        example: "device new --store phone --name 'Blue phone' --output enrollment.json", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let name = try invocation.required("name")
        let output = try EnrollmentOutput(invocation)
        return try invocation.change(viewing: IdentityView.view(of:)) { (device: DeviceStore) in
            try output.report(try device.makeIdentity(name: name, now: invocation.clock))
        }
    }
}
