import BackendJSON
import EnvelopeFormat
import KeyStore

/// A change of key states, of a conversation in a sealer store or of what a device store holds of one.
enum StateChange {
    /// - Parameters:
    ///   - sealer: the change in the backend's store; what is printed are the kids it ends with.
    ///   - device: the change on a phone; what is printed is what it holds then.
    static func run(
        _ invocation: Invocation, sealer: (SealerStore, ConversationIdentifier, Handle?) throws -> ConversationRecord,
        device: (DeviceStore, ConversationIdentifier, Handle?) throws -> Void
    ) throws -> Report {
        let conversation = try invocation.conversation()
        let handle = try invocation.handle()
        let view = { (store: Store) in
            switch store.role {
            case .sealer: try ConversationView.view(of: conversation, in: SealerStore(store))
            case .device: try HeldKeysView.view(of: DeviceStore(store), conversation)
            }
        }
        return try invocation.change(viewing: view) { (store: Store) in
            switch store.role {
            case .sealer:
                let result = ConversationResult(try sealer(SealerStore(store), conversation, handle))
                return Report(lines: result.kids, json: result.json)
            case .device:
                try device(DeviceStore(store), conversation, handle)
                return try HeldKeysView.view(of: DeviceStore(store), conversation).report
            }
        }
    }
}

extension Invocation {
    /// `--handle`, nil when it is not given.
    func handle() throws(CommandError) -> Handle? {
        guard let text = value("handle") else { return nil }
        guard let handle = Handle(text) else {
            throw usage("--handle is no handle", hint: "16 characters of base64url, as show prints them")
        }
        return handle
    }
}
