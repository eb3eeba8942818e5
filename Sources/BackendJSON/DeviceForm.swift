package import EnvelopeFormat
package import KeyStore

/// An enrolled device as scripts and backends are told of it.
package enum DeviceForm {
    package static func json(_ device: DeviceRecord) -> JSONValue {
        .members([
            "device": .string(device.thumbprint.string), "name": .string(device.name),
            "enrolled_at": .integer(device.enrolled),
            "last_seq": device.lastSequence.map { .integer($0) } ?? .null,
            "conversations": .integer(device.conversationCount), "bundles": .integer(device.pendingBundleCount),
            "being_removed": .bool(device.isBeingRemoved),
        ])
    }

    /// What came of an enrollment.
    package static func json(_ device: DeviceRecord, isNew: Bool, replaced: DeviceThumbprint?) -> JSONValue {
        .members([
            "device": .string(device.thumbprint.string), "name": .string(device.name), "new": .bool(isNew),
            "replaced": replaced.map { .string($0.string) } ?? .null,
        ])
    }

    /// What came of a removal.
    package static func json(removed thumbprint: DeviceThumbprint) -> JSONValue {
        .members(["device": .string(thumbprint.string), "removed": .bool(true)])
    }
}
