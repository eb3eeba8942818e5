import EnvelopeFormat
import KeyStore

/// `config set`: a default of the store.
enum ConfigSetCommand {
    static let row = Command(
        "config set", "set what requests do not say",
        details: [
            "NAME is one of \(ConfigName.allCases.map(\.rawValue).joined(separator: ", ")); on a device store "
                + "placeholder.title and placeholder.body are what is shown of a push that does not open, and the only ones.",
            "NAME anchor is for a FILE on another volume, or none: it says which change of the store was the last, so that "
                + "an older copy of the store, put back whole, is found. A file that was lost is made anew by setting it "
                + "again. While it cannot be read, nothing that changes keys is done.",
        ],
        arguments: [
            ArgumentSpec("NAME", "the default's name", completion: .words(ConfigName.allCases.map(\.rawValue) + [AnchorSetting.name])),
            ArgumentSpec("VALUE", "its value, left out with --reset", isRequired: false),
        ],
        options: [OptionSpec("reset", nil, "back to what it is without being set")],
        example: "config set --store sealer placeholder.body 'New message'", role: .any, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        guard invocation.arguments.first != AnchorSetting.name else { return try AnchorSetting.set(invocation) }
        let value = invocation.arguments.dropFirst().first
        guard (value == nil) == invocation.has("reset") else {
            throw invocation.usage("one of VALUE and --reset is needed")
        }
        return try invocation.change(viewing: ConfigGetCommand.view) { (store: Store) in
            let name = try ConfigName.parse(invocation.arguments[0], invocation, store)
            let settings = try StoreSettings(try store.defaults().json)
            try store.setDefaults(try settings.setting(name, to: value).stored, now: invocation.clock)
            return try ConfigGetCommand.view(of: store).report
        }
    }
}
