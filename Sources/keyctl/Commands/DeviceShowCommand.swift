import KeyStore

/// `device show`: this device's enrollment document, or an enrolled device.
enum DeviceShowCommand {
    static let row = Command(
        "device show", "print this device's enrollment document, or show an enrolled device",
        arguments: [
            ArgumentSpec(
                "ID", "on a sealer store: the thumbprint, or an unambiguous start of it", isRequired: false)
        ],
        options: [EnrollmentOutput.option],
        example: "device show --store sealer 3q2-7w", role: .any, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let store = try invocation.openStore()
        guard store.role == .device || !invocation.has("output") else {
            throw invocation.usage("--output is for the enrollment document of a device store")
        }
        switch (store.role, invocation.arguments.first) {
        case (.device, nil):
            return try EnrollmentOutput(invocation).report(try DeviceStore(store).enrollmentDocument())
        case (.sealer, let identifier?):
            guard !identifier.isEmpty else { throw invocation.usage("ID is empty") }
            return DeviceView.view(of: try SealerStore(store).device(matching: identifier)).report
        case (.device, _?):
            throw CommandError(.configuration, store.directory, "a device store shows itself alone; no ID is taken")
        case (.sealer, nil): throw invocation.usage("ID is missing")
        }
    }
}
