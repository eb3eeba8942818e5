import EnvelopeFormat
import KeyStore

/// The one setting of `config` that is no default of requests: the file that is the store's anchor.
enum AnchorSetting {
    static let name = "anchor"
    /// The value for a store that keeps none.
    static let none = "none"

    static func view(of store: Store) throws -> View {
        let path = try store.anchorPath()
        return View(
            lines: [path ?? none], json: .object([JSONMember(name, path.map { .string($0) } ?? .null)]))
    }

    /// Sets the anchor of the store it is given.
    static func set(_ invocation: Invocation) throws -> Report {
        guard let value = invocation.arguments.dropFirst().first, !value.isEmpty, !invocation.has("reset") else {
            throw invocation.usage("a file or \(none) is needed for the anchor")
        }
        return try invocation.change(viewing: view(of:)) { (store: Store) in
            try store.setAnchor(value == none ? nil : value, now: invocation.clock)
            return try view(of: store).report
        }
    }
}
