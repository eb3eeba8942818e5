import EnvelopeFormat
import KeyStore
import Sealer

/// What a store says for requests that do not say it themselves, as a JSON object that is known to be good.
struct StoreSettings {
    private var members: [JSONMember]

    /// - Throws: ``FormatError`` naming the member at fault.
    init(_ bytes: [UInt8]) throws(FormatError) {
        _ = try SealDefaults(parsing: bytes)
        members = try JSONValue.parse(bytes).members ?? []
    }

    /// - Throws: `configuration` for a default that means nothing on a store of this role.
    func check(for role: StoreRole) throws(CommandError) {
        let known = Set(ConfigName.names(of: role).map(\.rawValue))
        let names = members.flatMap { member in
            member.value.members.map { $0.map { "\(member.name).\($0.name)" } } ?? [member.name]
        }
        for name in names where !known.contains(name) {
            throw CommandError(.configuration, name, "a \(role.rawValue) store has no such default")
        }
    }

    /// As it is stored: compact JSON of what was set, and nothing else.
    var stored: StoreDefaults { StoreDefaults(json: JSONValue.object(members).write()) }

    /// The same with one value set, or taken back.
    func setting(_ name: ConfigName, to value: String?) throws(FormatError) -> StoreSettings {
        var changed = members
        let path = name.rawValue.split(separator: ".").map(String.init)
        if path.count == 1 {
            Self.set(path[0], to: value.map { .string($0) }, in: &changed)
        } else {
            var inner = JSONValue.object(changed)[path[0]]?.members ?? []
            Self.set(path[1], to: value.map { .string($0) }, in: &inner)
            Self.set(path[0], to: inner.isEmpty ? nil : .object(inner), in: &changed)
        }
        return try StoreSettings(JSONValue.object(changed).write())
    }

    /// What holds for the name: what was set, else what holds without; nil where that is nothing.
    func value(of name: ConfigName) throws(FormatError) -> String? {
        let settings = try SealDefaults(parsing: stored.json)
        return switch name {
        case .type: settings.type
        case .placeholderTitle: settings.placeholder.title
        case .placeholderTitleKey: settings.placeholder.titleLocKey
        case .placeholderBody:
            settings.placeholder.body ?? (settings.placeholder.locKey == nil ? Placeholder.standardBody : nil)
        case .placeholderBodyKey: settings.placeholder.locKey
        case .platform: settings.platform.rawValue
        case .padding: settings.padding.rawValue
        case .overflow: settings.overflow.rawValue
        }
    }

    /// Everything that holds, for a store of this role, in the form that `init --defaults` reads.
    func view(of role: StoreRole) throws(FormatError) -> View {
        var lines: [[String]] = []
        var top: [JSONMember] = []
        var placeholder: [JSONMember] = []
        for name in ConfigName.names(of: role) {
            guard let value = try value(of: name) else { continue }
            lines.append([name.rawValue, value])
            let path = name.rawValue.split(separator: ".").map(String.init)
            if path.count == 1 {
                top.append(JSONMember(path[0], .string(value)))
            } else {
                placeholder.append(JSONMember(path[1], .string(value)))
            }
        }
        if !placeholder.isEmpty { top.append(JSONMember("placeholder", .object(placeholder))) }
        return View(lines: TableLayout.lines(lines), json: .object(top))
    }

    private static func set(_ name: String, to value: JSONValue?, in members: inout [JSONMember]) {
        if let index = members.firstIndex(where: { $0.name == name }) { members.remove(at: index) }
        if let value { members.append(JSONMember(name, value)) }
    }
}
