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
            case .otherApp(let name): "it is for the app \(name), by its Simulator Target Bundle"
            }
        }
    }

    private let object: JSONValue
    /// What APNs counts: without what tells Xcode's simulator which app it is for, which is never sent.
    private let byteCount: Int

    /// - Throws: ``FormatError`` for what is not strict JSON, or is no APNs payload.
    public init(_ bytes: [UInt8]) throws(FormatError) {
        guard !bytes.isEmpty else { throw FormatError(field: "payload", reason: "empty") }
        object = try JSONValue.parse(bytes)
        guard let members = object.members else { throw FormatError(field: "payload", reason: "not an object") }
        guard object["aps"]?.members != nil else {
            throw FormatError(field: "aps", reason: object["aps"] == nil ? "missing: no APNs payload" : "not an object")
        }
        if let bundle = object[Self.bundleName], bundle.text?.isEmpty != false {
            throw FormatError(field: Self.bundleName, reason: bundle.text == nil ? "not a string" : "empty")
        }
        let isSentWhole = object[Self.bundleName] == nil
        let sent = members.filter { !$0.name.isSame(as: Self.bundleName) }
        byteCount = isSentWhole ? bytes.count : JSONValue.object(sent).write().count
    }

    /// Why APNs takes it for nobody; nil where it does.
    public var refusal: String? {
        let limit = PayloadLimit.standard
        return byteCount <= limit ? nil : "PayloadTooLarge: \(byteCount) bytes, and what is shown has at most \(limit)"
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

    /// What it brings beside text and image.
    public var quietDetails: QuietDetails { QuietDetails(aps: object["aps"]) }
}
