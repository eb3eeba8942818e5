public import EnvelopeFormat
public import KeyStore
public import OpenerNSE

/// A phone: a device store with the opener on top.
public struct SimulatedDevice: Sendable {
    let store: DeviceStore

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
        let opener = opener(keychain, now: now)
        let received = try? ReceivedPayload(payload)
        // An FCM message is as large as the data it carries, and never over the limit for what stands around them.
        let excess = received.map { max(0, $0.bytes.count - $0.byteCount) } ?? 0
        let opening = opener.open(payload: received?.bytes ?? payload, limit: limit + excess, now: now)
        return SimulatedOpening(opening, unsealed: received?.text ?? placeholder, failure: keychain.trouble.first)
    }

    /// Takes a provisioning bundle, one compact string.
    /// - Throws: what is wrong with the store, when that is why it was not judged.
    public func accept(_ bundle: [UInt8], now: Int64) throws(KeyStoreError) -> BundleResult {
        let keychain = StoreKeychain(store: store, now: now, keepsChanges: true)
        let result = BundleAcceptance(keychain: keychain).accept(bundle, now: now)
        if result.outcome == .storeUnavailable, let error = keychain.trouble.first { throw error }
        if result.outcome != .installed, !result.already {
            store.noteRefusal(
                ofBundle: result.bundle?.sequence, kid: result.bundle?.kid, reason: result.outcome.rawValue, now: now)
        }
        return result
    }

    /// One that keeps what the keychain keeps.
    func opener(_ keychain: StoreKeychain, now: Int64) -> Opener<StoreKeychain> {
        Opener(
            keychain: keychain, replays: StoreReplays(store: store, remembers: keychain.keepsChanges),
            configuration: OpenerConfiguration(allowsSplit: isSplitAllowed(now: now), placeholder: placeholder))
    }

    /// Where it cannot be read it is not denied: the keychain then says why, asked for the keys, and gives none.
    func isSplitAllowed(now: Int64) -> Bool {
        (try? StoreKeychain(store: store, now: now, keepsChanges: false).isSplitAllowed()) ?? true
    }

    /// The text shown for what does not open: the store's `placeholder` of its defaults.
    var placeholder: ShownText {
        let defaults = (try? JSONValue.parse((try? store.store.defaults().json) ?? [])) ?? .null
        let text = ShownText(
            title: defaults["placeholder"]?["title"]?.text, body: defaults["placeholder"]?["body"]?.text)
        return text.body == nil ? ShownText(title: text.title, body: OpenerConfiguration().placeholder.body) : text
    }
}

extension ReceivedPayload {
    /// The text of a notification as it came.
    var text: ShownText {
        ShownText(alert: object["aps"]?["alert"]) ?? ShownText(title: object["title"]?.text, body: object["body"]?.text)
    }
}

extension ShownText {
    /// The text of an alert as it came; nil where there is none.
    init?(alert: JSONValue?) {
        guard let alert else { return nil }
        if let body = alert.text {
            self.init(body: body)
        } else {
            self.init(title: alert["title"]?.text, subtitle: alert["subtitle"]?.text, body: alert["body"]?.text)
        }
    }
}
