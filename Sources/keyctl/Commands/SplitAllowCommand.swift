import KeyStore

/// `split allow`: lets the device open the split profile.
enum SplitAllowCommand {
    static let row = Command(
        "split allow", "let this device open the split profile",
        example: "split allow --store phone", role: .device, changesState: true
    ) { invocation in
        let store = try invocation.openStore()
        let device = try DeviceStore(store)
        return try invocation.change(store, viewing: { try HeldKeysView.view(of: device) }) {
            try device.splitAllow(now: invocation.clock)
            return try SplitReport.report(of: device)
        }
    }
}
