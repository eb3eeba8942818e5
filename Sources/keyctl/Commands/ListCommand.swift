import KeyStore

/// `list`: the conversations of a sealer store, the keys of a device store.
enum ListCommand {
    static let row = Command(
        "list", "list the conversations; never key material", example: "list --store sealer", role: .any
    ) { invocation in
        let store = try invocation.openStore()
        switch store.role {
        case .sealer: return try ConversationView.list(of: try SealerStore(store)).report
        case .device: return try HeldKeysView.view(of: try DeviceStore(store)).report
        }
    }
}
