public import EnvelopeFormat
public import OpenerNSE

/// A notification as a file that Xcode's simulator takes: the payload, and which app it is for.
public struct APNsFile: Sendable {
    private static let bundleName = "Simulator Target Bundle"

    /// Why the system would show it without asking the extension.
    public enum Obstacle: Sendable, Equatable, CustomStringConvertible {
        case notMutable
        case noAlert
        case otherApp(String)

        public var description: String {
            switch self {
            case .notMutable: "aps has no mutable-content of 1"
            case .noAlert: "aps has no alert with a text: nothing is shown, and the extension is for what is shown"
            case .otherApp(let name): "it is for the app \(name)"
            }
        }
    }

    private let object: JSONValue

    /// - Throws: ``FormatError`` for what is not strict JSON, is no APNs payload, or is above the limit.
    public init(_ bytes: [UInt8], limit: Int = PayloadLimit.voip) throws(FormatError) {
        object = try JSONValue.parse(bytes)
        guard object.members != nil, object["aps"]?.members != nil else {
            throw FormatError(field: "aps", reason: "not an object with an aps that is an object: no APNs payload")
        }
        if let bundle = object[Self.bundleName], bundle.text == nil {
            throw FormatError(field: Self.bundleName, reason: "not a string")
        }
        // What tells the simulator which app it is for is never sent.
        let sent = (object.members ?? []).filter { !$0.name.isSame(as: Self.bundleName) }
        let byteCount = JSONValue.object(sent).write().count
        guard byteCount <= limit else { throw FormatError(field: "payload", reason: "\(byteCount) bytes, where \(limit) are sent") }
    }

    /// Nil when the extension is asked.
    /// - Parameter app: the app whose extension it is; nil for whichever the file names.
    public func obstacle(app: String?) -> Obstacle? {
        if let app, let found = object[Self.bundleName]?.text, found != app { return .otherApp(found) }
        guard object["aps"]?["mutable-content"]?.plainInteger == 1 else { return .notMutable }
        let text = received
        return [text.title, text.subtitle, text.body].contains { $0?.isEmpty == false } || !localisedKeys.isEmpty ? nil : .noAlert
    }

    /// The text as it came.
    public var received: ShownText { ShownText(alert: object["aps"]?["alert"]) ?? ShownText() }

    /// The keys by which the system takes a text out of the app's own: what they are called, and the key.
    public var localisedKeys: [(name: String, key: String)] {
        ["title-loc-key", "loc-key"].compactMap { name in
            guard let key = object["aps"]?["alert"]?[name]?.text, !key.isEmpty else { return nil }
            return (name, key)
        }
    }

    /// What stands under `encrypted_payload`.
    public var sealed: SealedMember { SealedMember(object["encrypted_payload"]) }

    public var imageURL: String? { object["image_url"]?.text }

    /// The app that it names.
    public var app: String? { object[Self.bundleName]?.text }

    /// Whether it makes a sound.
    public var hasSound: Bool { object["aps"]?["sound"] != nil }
}
