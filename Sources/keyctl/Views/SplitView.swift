import BackendJSON
import EnvelopeFormat
import KeyStore

/// How the split side of a device store is shown: whether it is opened, and which keys are held.
enum SplitView {
    static func view(of device: DeviceStore) throws -> View {
        let (isAllowed, keys) = try device.reading { held throws(KeyStoreError) in
            (try held.isSplitAllowed(), try held.splitKeys())
        }
        return View(
            lines: ["split \(isAllowed ? "allowed" : "denied")"] + TableLayout.lines(keys.map(row)),
            json: .members(["split_allowed": .bool(isAllowed), "split_keys": .list(keys, json)]))
    }

    static func row(_ key: SplitKeyRecord) -> [String] {
        [key.conversation.string, "split", key.name, key.state.rawValue, "open until \(Timestamp.text(key.until))"]
    }

    static func json(_ key: SplitKeyRecord) -> JSONValue {
        .members([
            "conversation": .string(key.conversation.string), "name": .string(key.name),
            "state": .string(key.state.rawValue), "open_until": .integer(key.until),
        ])
    }
}
