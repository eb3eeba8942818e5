import EnvelopeFormat
import KeyStore

/// `config set`: a default of the store.
enum ConfigSetCommand {
    static let row = Command(
        "config set", "set what requests do not say",
        details: ["NAME is one of \(ConfigName.allCases.map(\.rawValue).joined(separator: ", "))."],
        arguments: [
            ArgumentSpec("NAME", "the default's name", completion: .words(ConfigName.allCases.map(\.rawValue))),
            ArgumentSpec("VALUE", "its value, left out with --reset", isRequired: false),
        ],
        options: [OptionSpec("reset", nil, "back to what it is without being set")],
        example: "config set --store sealer placeholder.body 'New message'", role: .any, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let name = try ConfigName.parse(invocation.arguments[0], invocation)
        let value = invocation.arguments.dropFirst().first
        guard (value == nil) == invocation.has("reset") else {
            throw invocation.usage("one of VALUE and --reset is needed")
        }
        let store = try invocation.openStore()
        return try invocation.change(store, viewing: { try ConfigView.view(of: store) }) {
            try store.setDefaults(try name.set(value, in: try store.defaults()), now: invocation.clock)
            return try ConfigView.view(of: store).report
        }
    }
}
