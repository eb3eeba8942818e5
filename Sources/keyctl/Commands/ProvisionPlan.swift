import EnvelopeFormat
import KeyStore

/// One conversation to be created, from the command line or from a line of a file.
struct ProvisionPlan {
    var conversation: ConversationIdentifier
    var algorithm: KeyAlgorithm
    /// Thumbprints, or unambiguous starts of them.
    var devices: [String]
    var accessible: AccessibilityClass
    var until: Int64?

    /// Reads a line of `provision --from`; a member that is not known is refused.
    init(line bytes: [UInt8]) throws {
        let json = try JSONValue.parse(bytes)
        guard let members = json.members else { throw FormatError(field: "line", reason: "not an object") }
        let known = ["conversation", "alg", "devices", "accessible", "until"]
        if let unknown = members.first(where: { !known.contains($0.name) }) {
            throw FormatError(
                field: PrintableText.escape(String(unknown.name.prefix(64))), reason: "not a known member")
        }
        conversation = try ConversationIdentifier(json["conversation"]?.text ?? "")
        algorithm = try Self.word(json, "alg") ?? .dir
        accessible = try Self.word(json, "accessible") ?? .standard
        guard algorithm != .split || json["accessible"] == nil else {
            throw FormatError(field: "accessible", reason: "a split key is carried by hand, not by bundles")
        }
        devices = []
        if case .array(let values)? = json["devices"] {
            devices = values.compactMap(\.text)
            guard devices.count == values.count else { throw FormatError(field: "devices", reason: "not all strings") }
        } else if json["devices"] != nil {
            throw FormatError(field: "devices", reason: "not an array")
        }
        if let value = json["until"] {
            guard let seconds = value.plainInteger ?? value.text.flatMap(Timestamp.parse) else {
                throw FormatError(field: "until", reason: "no point in time")
            }
            until = seconds
        }
    }

    init(
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
    static func conversation(inLine bytes: [UInt8]) -> ConversationIdentifier? {
        guard let name = (try? JSONValue.parse(bytes))?["conversation"]?.text else { return nil }
        return try? ConversationIdentifier(name)
    }

    /// Whether a conversation that is there is what this would make: of the same algorithm, members, class and end.
    func isDone(_ record: ConversationRecord, on sealer: SealerStore) throws -> Bool {
        let members = Set(try devices.map { try sealer.device(matching: $0).thumbprint.string })
        return record.algorithm == algorithm && record.accessible == accessible && record.until == until
            && Set(record.members.map(\.device.string)) == members
    }

    /// The same with the devices found.
    func provisioning(_ device: (String) throws -> DeviceThumbprint) rethrows -> Provisioning {
        Provisioning(
            conversation: conversation, algorithm: algorithm, members: try devices.map(device), accessible: accessible,
            until: until)
    }

    func carryOut(on sealer: SealerStore, now: Int64) throws -> ConversationRecord {
        let plan = try provisioning {
            try sealer.device(matching: $0, for: .provision, of: "conversation \(conversation)", now: now).thumbprint
        }
        return try sealer.provision(
            plan.conversation, algorithm: plan.algorithm, members: plan.members, accessible: plan.accessible,
            until: plan.until, now: now)
    }

    private static func word<Word: RawRepresentable<String>>(_ json: JSONValue, _ name: String) throws -> Word? {
        guard let value = json[name] else { return nil }
        guard let word = value.text.flatMap(Word.init(rawValue:)) else {
            throw FormatError(field: name, reason: "not one of the words there are")
        }
        return word
    }
}
