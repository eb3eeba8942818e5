public import EnvelopeFormat

/// One payload that is ready to be sent, and what goes beside it.
public struct SealedPush: Sendable {
    public let platform: Platform
    /// The one device it is for with `HPKE-7`; nil when it is for all of the conversation.
    public let device: DeviceThumbprint?
    /// The exact bytes to send: the APNs payload, or `{"message":{…}}` for FCM, to which the sender adds the address.
    public let payload: [UInt8]
    public let messageIdentifier: MessageIdentifier
    public let kid: KeyIdentifier
    /// As the platform counts them: the payload's bytes, or for FCM the keys and values of its data.
    public let byteCount: Int
    /// How many more would have fitted.
    public let bytesLeft: Int
    /// Whether the body was cut.
    public let isTruncated: Bool
    private let delivery: DeliveryOptions
    /// When APNs may forget it, in seconds since 1970.
    public let expiration: Int64

    init(
        _ rendered: RenderedPayload, platform: Platform, device: DeviceThumbprint?, limit: Int,
        messageIdentifier: MessageIdentifier, kid: KeyIdentifier, delivery: DeliveryOptions, expiration: Int64
    ) {
        self.platform = platform
        self.device = device
        payload = platform == .apns ? rendered.bytes : Self.message(rendered.bytes)
        self.messageIdentifier = messageIdentifier
        self.kid = kid
        byteCount = limit - rendered.bytesLeft
        bytesLeft = rendered.bytesLeft
        isTruncated = rendered.isTruncated
        self.delivery = delivery
        self.expiration = expiration
    }

    /// The HTTP headers of APNs; none for FCM.
    public var headers: [(name: String, value: String)] {
        platform == .apns ? delivery.headers(expiration: expiration) : []
    }

    private static func message(_ data: [UInt8]) -> [UInt8] {
        Array(#"{"message":{"data":"#.utf8) + data + Array(#","android":{"priority":"HIGH"}}}"#.utf8)
    }
}
