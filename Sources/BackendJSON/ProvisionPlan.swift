package import EnvelopeFormat
package import KeyStore
import Sealer

/// One conversation to be created, from the command line or from a line of a file.
package struct ProvisionPlan {
    package var conversation: ConversationIdentifier
    package var algorithm: KeyAlgorithm
    /// Thumbprints, or unambiguous starts of them.
    package var devices: [String]
    package var accessible: AccessibilityClass
    package var until: Int64?

    /// Reads `{conversation, alg, devices, accessible, until}`, a line of `provision --from` too; a member that is not known is refused.
    /// - Throws: ``FormatError`` naming the member at fault.
    package init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "provisioning", ["conversation", "alg", "devices", "accessible", "until"])
        conversation = try ConversationIdentifier(try reader.text("conversation") ?? "")
        algorithm = try reader.word("alg", KeyAlgorithm.self) ?? .dir
        accessible = try reader.word("accessible", AccessibilityClass.self) ?? .standard
        guard algorithm != .split || json["accessible"] == nil else {
            throw FormatError(field: "accessible", reason: "a split key is carried by hand, not by bundles")
        }
        devices = []
        if case .array(let values)? = reader.value("devices") {
            devices = values.compactMap(\.text)
            guard devices.count == values.count else { throw FormatError(field: "devices", reason: "not all strings") }
        } else if json["devices"] != nil {
            throw FormatError(field: "devices", reason: "not an array")
        }
        if let value = reader.value("until") {
            guard let seconds = value.plainInteger ?? value.text.flatMap(Timestamp.parse) else {
                throw FormatError(field: "until", reason: "no point in time")
            }
            until = seconds
        }
    }

    package init(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm, devices: [String],
        accessible: AccessibilityClass, until: Int64?
    ) {
        self.conversation = conversation
        self.algorithm = algorithm
        self.devices = devices
        self.accessible = accessible
        self.until = until
    }

    /// The conversation that a line names, though the rest of it may be wrong.
    package static func conversation(inLine bytes: [UInt8]) -> ConversationIdentifier? {
        guard let name = (try? JSONValue.parse(bytes))?["conversation"]?.text else { return nil }
        return try? ConversationIdentifier(name)
    }

    /// Whether a conversation that is there is what this would make: of the same algorithm, members, class and end.
    package func isDone(_ record: ConversationRecord, on sealer: SealerStore) throws -> Bool {
        let members = Set(try devices.map { try sealer.device(matching: $0).thumbprint.string })
        return record.algorithm == algorithm && record.accessible == accessible && record.until == until
            && Set(record.members.map(\.device.string)) == members
    }

    /// The same with the devices found.
    package func provisioning(_ device: (String) throws -> DeviceThumbprint) rethrows -> Provisioning {
        Provisioning(
            conversation: conversation, algorithm: algorithm, members: try devices.map(device), accessible: accessible,
            until: until)
    }

    package func carryOut(on sealer: SealerStore, now: Int64) throws -> ConversationRecord {
        let plan = try provisioning {
            try sealer.device(matching: $0, for: .provision, of: "conversation \(conversation)", now: now).thumbprint
        }
        return try sealer.provision(
            plan.conversation, algorithm: plan.algorithm, members: plan.members, accessible: plan.accessible,
            until: plan.until, now: now)
    }
}
