public import EnvelopeFormat

extension SealerStore {
    /// The bundles the device has not acknowledged, lowest sequence number first; what has expired, or is 384 epochs
    /// behind, is issued anew.
    /// - Throws: `.notFound` for a device nobody enrolled.
    public func pendingBundles(
        for device: DeviceThumbprint, now: Int64, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> [PendingBundle] {
        try write(auditing: .bundleIssue, "device \(device)", at: now) { (life) throws(KeyStoreError) in
            _ = try life.device(device)
            // Each bundle that is issued has an entry of its own; one that is printed again has none.
            life.rows.act = nil
            try life.renewBundles(to: device, goesOn)
            return try life.pendingBundles(to: device).map { bundle in
                PendingBundle(
                    sequence: bundle.record.sequence, kid: bundle.record.kid, conversation: bundle.record.conversation,
                    bundle: String(decoding: bundle.record.content ?? [], as: UTF8.self))
            }
        }
    }

    /// Takes note that the device installed exactly that bundle; again, it changes nothing. The last one missing
    /// promotes a waiting secret in the same transaction.
    /// - Throws: `.notFound` for a bundle never issued.
    public func acknowledge(device: DeviceThumbprint, sequence: Int64, now: Int64) throws(KeyStoreError) {
        try write(auditing: .bundleAcknowledge, "device \(device)", at: now) { (life) throws(KeyStoreError) in
            try life.acknowledge(sequence, by: device)
        }
    }
}
