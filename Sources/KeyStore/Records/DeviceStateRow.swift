/// Counters of an emulated device.
struct DeviceStateRow: Record {
    static let name = "device"

    static let table = Table.deviceState
    let identifier = DeviceStateRow.name
    /// Of the last bundle installed; a bundle is taken only above it.
    var lastSequence: Int64 = 0
    /// What the next handle's install order will be.
    var nextOrder: Int64 = 1
    /// The latest expiry bound of a pruned replay record.
    var replayFloor: Int64?
    var splitAllowed = false

    init() {}

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard identifier == Self.name else { throw fields.damaged }
        lastSequence = try fields.integer()
        nextOrder = try fields.integer()
        replayFloor = try fields.optionalInteger()
        splitAllowed = try fields.bool()
    }

    var values: [FieldValue] {
        [.integer(lastSequence), .integer(nextOrder), FieldValue(replayFloor), FieldValue(splitAllowed)]
    }
}
