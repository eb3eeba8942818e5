package import EnvelopeFormat
package import KeyStore

/// Bundles on their way to a device, and what came of their arrival.
package enum BundleForm {
    package static func json(_ bundles: [PendingBundle]) -> JSONValue {
        .members([
            "bundles": .list(bundles) { bundle in
                .members([
                    "seq": .integer(bundle.sequence), "kid": .string(bundle.kid.description), "bundle": .string(bundle.bundle),
                ])
            }
        ])
    }

    package static func json(acknowledged sequence: Int64, by device: DeviceThumbprint) -> JSONValue {
        .members(["device": .string(device.string), "acknowledged": .integer(sequence)])
    }
}
