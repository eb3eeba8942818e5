import EnvelopeFormat
import KeyStore

/// `config get`: the defaults of the store.
enum ConfigGetCommand {
    static let row = Command(
        "config get", "print what requests do not say, all or one",
        arguments: [
            ArgumentSpec(
                "NAME", "the default's name", isRequired: false,
                completion: .words(ConfigName.allCases.map(\.rawValue) + [AnchorSetting.name]))
        ],
        example: "config get --store sealer placeholder.body", role: .any, run: run)

    /// All that holds on the store.
    static func view(of store: Store) throws -> View {
        try StoreSettings(try store.defaults().json).view(of: store.role)
    }

    private static func run(_ invocation: Invocation) throws -> Report {
        let store = try invocation.openStore()
        guard let text = invocation.arguments.first else { return try view(of: store).report }
        guard text != AnchorSetting.name else { return try AnchorSetting.view(of: store).report }
        let name = try ConfigName.parse(text, invocation, store)
        let value = try StoreSettings(try store.defaults().json).value(of: name)
        let json = JSONValue.object([JSONMember(name.rawValue, value.map { .string($0) } ?? .null)])
        return Report(lines: value.map { [$0] } ?? [], json: json)
    }
}
