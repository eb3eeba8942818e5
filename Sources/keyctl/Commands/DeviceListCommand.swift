import KeyStore

/// `device list`: the enrolled devices.
enum DeviceListCommand {
    static let row = Command(
        "device list", "list the enrolled devices", example: "device list --store sealer", role: .sealer
    ) { invocation in
        try DeviceView.list(of: try invocation.openSealerStore()).report
    }
}
