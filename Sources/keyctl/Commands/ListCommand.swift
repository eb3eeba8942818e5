import BackendJSON
import KeyStore

/// `list`: the conversations of a sealer store, the keys of a device store.
enum ListCommand {
    static let row = Command(
        "list", "list the conversations; never key material",
        details: [
            "Of a sealer store in the order of names, a part at a time: where there is more, standard error says after which "
                + "name to go on, unless --quiet, and `next` of --json always does. A device store is listed whole."
        ],
        options: Page.options(after: "CID"), example: "list --store sealer", role: .any
    ) { invocation in
        let store = try invocation.openStore()
        switch store.role {
        case .sealer:
            return invocation.report(try ConversationView.list(of: SealerStore(store), try invocation.page()))
        case .device:
            guard !invocation.has("after"), !invocation.has("limit") else {
                throw invocation.usage("--after and --limit are for a sealer store")
            }
            return try HeldKeysView.view(of: try DeviceStore(store)).report
        }
    }
}
