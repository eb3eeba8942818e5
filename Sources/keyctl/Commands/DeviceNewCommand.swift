import EnvelopeFormat
import KeyStore

/// `device new`: makes the identity key of a device store.
enum DeviceNewCommand {
    static let row = Command(
        "device new", "make the identity key of this device and print its enrollment document",
        details: [
            "The document is for the backend's `device enroll`. It holds the enrollment secret: carry it over a "
                + "channel that is yours alone."
        ],
        options: [OptionSpec("name", "N", "a name for people", isRequired: true)],
        example: "device new --store phone --name 'Blue phone'", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let name = try invocation.required("name")
        return try invocation.change(viewing: IdentityView.view(of:)) { (device: DeviceStore) in
            let document = try device.makeIdentity(name: name, now: invocation.clock)
            return Report(document: document.json())
        }
    }
}
