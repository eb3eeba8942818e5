import KeyStore

/// The defaults that `config` knows, by the names of the seal request.
enum ConfigName: String, CaseIterable {
    case type, platform, padding, overflow
    case placeholderTitle = "placeholder.title"
    case placeholderTitleKey = "placeholder.title_loc_key"
    case placeholderBody = "placeholder.body"
    case placeholderBodyKey = "placeholder.loc_key"

    /// The names that mean something on a store of this role: a device has the text of the placeholder alone, and no texts of an
    /// app that a key could name.
    static func names(of role: StoreRole) -> [ConfigName] {
        role == .sealer ? allCases : [.placeholderTitle, .placeholderBody]
    }

    /// - Throws: `usage` naming what there is, `configuration` for one that is another role's; what was set before it was
    ///   refused can be taken back.
    static func parse(_ text: String, _ invocation: Invocation, _ store: Store) throws(CommandError) -> ConfigName {
        guard let name = ConfigName(rawValue: text) else {
            throw invocation.usage(
                "there is no default of that name",
                hint: "the names are \(names(of: store.role).map(\.rawValue).joined(separator: ", "))")
        }
        guard names(of: store.role).contains(name) || invocation.has("reset") else {
            throw CommandError(.configuration, name.rawValue, "a \(store.role.rawValue) store has no such default")
        }
        return name
    }
}
