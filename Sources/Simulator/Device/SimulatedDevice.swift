public import EnvelopeFormat
public import KeyStore
public import OpenerNSE

/// A phone: a device store with the opener on top.
public struct SimulatedDevice: Sendable {
    private let store: DeviceStore

    public init(_ store: DeviceStore) { self.store = store }

    /// Opens an APNs payload, an FCM message, or the bare object of its data, as the extension on the phone would.
    ///
    /// - Parameters:
    ///   - limit: the most bytes it may have, as its platform counts them.
    ///   - now: seconds since 1970.
    ///   - remembers: whether what opening changes is kept: steps, retired handles, the message itself.
    public func open(
        _ payload: [UInt8], now: Int64, limit: Int = PayloadLimit.voip, remembers: Bool = true
    ) -> SimulatedOpening {
        let keychain = StoreKeychain(store: store, now: now, keepsChanges: remembers)
        let isSplitAllowed = (try? keychain.isSplitAllowed()) ?? false
        let opener = Opener(
            keychain: keychain, replays: StoreReplays(store: store, remembers: remembers),
            configuration: OpenerConfiguration(allowsSplit: isSplitAllowed, placeholder: placeholder))
        guard let received = try? ReceivedPayload(payload) else {
            return SimulatedOpening(opener.open(payload: payload, limit: limit, now: now), unsealed: placeholder)
        }
        // An FCM message is as large as the data it carries, and never over the limit for what stands around them.
        let excess = max(0, received.bytes.count - received.byteCount)
        return SimulatedOpening(
            opener.open(payload: received.bytes, limit: limit + excess, now: now), unsealed: received.text)
    }

    /// Takes a provisioning bundle, one compact string.
    public func accept(_ bundle: [UInt8], now: Int64) -> BundleResult {
        BundleAcceptance(keychain: StoreKeychain(store: store, now: now, keepsChanges: true)).accept(bundle, now: now)
    }

    /// The text shown for what does not open: the store's `placeholder` of its defaults.
    private var placeholder: ShownText {
        let defaults = (try? JSONValue.parse((try? store.store.defaults().json) ?? [])) ?? .null
        let text = ShownText(
            title: defaults["placeholder"]?["title"]?.text, body: defaults["placeholder"]?["body"]?.text)
        return text.body == nil ? ShownText(title: text.title, body: OpenerConfiguration().placeholder.body) : text
    }
}

extension ReceivedPayload {
    /// The text of a notification as it came.
    var text: ShownText {
        guard let alert = object["aps"]?["alert"] else {
            return ShownText(title: object["title"]?.text, body: object["body"]?.text)
        }
        if let body = alert.text { return ShownText(body: body) }
        return ShownText(title: alert["title"]?.text, subtitle: alert["subtitle"]?.text, body: alert["body"]?.text)
    }
}
