import KeyStore

/// `split deny`: what is split does not open any more.
enum SplitDenyCommand {
    static let row = Command(
        "split deny", "do not open the split profile any more",
        example: "split deny --store phone", role: .device, changesState: true
    ) { invocation in
        try invocation.change(viewing: SplitView.view(of:)) { (device: DeviceStore) in
            try device.splitDeny(now: invocation.clock)
            return try SplitView.view(of: device).report
        }
    }
}
