import KeyStore

/// `split deny`: what is split does not open any more.
enum SplitDenyCommand {
    static let row = Command(
        "split deny", "do not open the split profile any more",
        example: "split deny --store phone", role: .device, changesState: true
    ) { invocation in
        let store = try invocation.openStore()
        let device = try DeviceStore(store)
        return try invocation.change(store, viewing: { try HeldKeysView.view(of: device) }) {
            try device.splitDeny(now: invocation.clock)
            return try SplitReport.report(of: device)
        }
    }
}
