import KeyStore

/// `split allow`: lets the device open the split profile.
enum SplitAllowCommand {
    static let row = Command(
        "split allow", "let this device open the split profile",
        example: "split allow --store phone", role: .device, changesState: true
    ) { invocation in
        try invocation.change(viewing: SplitView.view(of:)) { (device: DeviceStore) in
            try device.splitAllow(now: invocation.clock)
            return try SplitView.view(of: device).report
        }
    }
}
