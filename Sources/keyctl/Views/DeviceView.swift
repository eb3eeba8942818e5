import EnvelopeFormat
import KeyStore

/// How an enrolled device is shown.
enum DeviceView {
    static func list(of sealer: SealerStore) throws -> View {
        let devices = try sealer.devices().sorted { ($0.name, $0.thumbprint.string) < ($1.name, $1.thumbprint.string) }
        let rows = devices.map { device in
            [
                device.thumbprint.string, device.name, "conversations \(device.conversationCount)",
                "bundles \(device.pendingBundleCount)",
            ] + (device.isBeingRemoved ? ["removal to be repeated"] : [])
        }
        return View(
            lines: devices.isEmpty ? ["no devices"] : TableLayout.lines(rows),
            json: .members(["devices": .list(devices, json)]))
    }

    static func view(of device: DeviceRecord) -> View {
        View(
            lines: [
                "device \(device.thumbprint)", "name \(device.name)",
                "enrolled \(Timestamp.text(device.enrolled))",
                "last seq \(device.lastSequence.map { String($0) } ?? "none")",
                "conversations \(device.conversationCount)", "bundles not acknowledged \(device.pendingBundleCount)",
            ] + (device.isBeingRemoved ? ["removal to be repeated"] : []),
            json: json(device))
    }

    private static func json(_ device: DeviceRecord) -> JSONValue {
        .members([
            "device": .string(device.thumbprint.string), "name": .string(device.name),
            "enrolled_at": .integer(device.enrolled),
            "last_seq": device.lastSequence.map { .integer($0) } ?? .null,
            "conversations": .integer(device.conversationCount), "bundles": .integer(device.pendingBundleCount),
            "being_removed": .bool(device.isBeingRemoved),
        ])
    }
}
