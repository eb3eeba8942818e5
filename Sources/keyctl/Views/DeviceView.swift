import BackendJSON
import EnvelopeFormat
import KeyStore

/// How an enrolled device is shown.
enum DeviceView {
    static func firstPage(of sealer: SealerStore) throws -> View { try list(of: sealer, Page()).view }

    /// Pages are cut by thumbprint, and each is sorted by name.
    static func list(of sealer: SealerStore, _ page: Page) throws -> (view: View, next: String?) {
        let after = try page.after.map { text in
            guard let thumbprint = DeviceThumbprint(text) else {
                throw CommandError(.badInput, "--after", "it is no thumbprint")
            }
            return thumbprint
        }
        let records = try sealer.devices(after: after, limit: page.limit)
        let last = records.last?.thumbprint
        let isMore = try last.map { try !sealer.devices(after: $0, limit: 1).isEmpty } ?? false
        let devices = records.sorted { ($0.name, $0.thumbprint.string) < ($1.name, $1.thumbprint.string) }
        let rows = devices.map { device in
            [
                device.thumbprint.string, device.name, "conversations \(device.conversationCount)",
                "bundles \(device.pendingBundleCount)",
            ] + (device.isBeingRemoved ? ["removal to be repeated"] : [])
        }
        let next = isMore ? last?.string : nil
        let lines = devices.isEmpty ? [page.isFirst ? "no devices" : "no more devices"] : TableLayout.lines(rows)
        let view = View(
            lines: lines, json: .members(["devices": .list(devices, DeviceForm.json), "next": next.map { .string($0) }]))
        return (view, next)
    }

    static func view(of device: DeviceRecord) -> View {
        View(
            lines: [
                "device \(device.thumbprint)", "name \(device.name)",
                "enrolled \(Timestamp.text(device.enrolled))",
                "last seq \(device.lastSequence.map { String($0) } ?? "none")",
                "conversations \(device.conversationCount)", "bundles not acknowledged \(device.pendingBundleCount)",
            ] + (device.isBeingRemoved ? ["removal to be repeated"] : []),
            json: DeviceForm.json(device))
    }
}
