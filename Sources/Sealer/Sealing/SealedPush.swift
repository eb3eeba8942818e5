public import EnvelopeFormat

/// One payload that is ready to be sent, and what goes beside it.
public struct SealedPush: Sendable {
    /// How long APNs stores a push without an end of its own, in seconds: 30 days.
    private static let storageTime: Int64 = 30 * 86_400

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
        _ rendered: RenderedPayload, of stamp: MessageStamp, _ request: SealRequest, on platform: Platform,
        to device: DeviceThumbprint?, kid: KeyIdentifier, limit: Int
    ) {
        self.platform = platform
        self.device = device
        payload = platform == .apns ? rendered.bytes : Self.message(rendered.bytes)
        messageIdentifier = stamp.identifier
        self.kid = kid
        byteCount = limit - rendered.bytesLeft
        bytesLeft = rendered.bytesLeft
        isTruncated = rendered.isTruncated
        delivery = request.delivery
        expiration = stamp.validity.expiresAt ?? stamp.validity.issuedAt + Self.storageTime
    }

    /// The HTTP headers of APNs; none for FCM.
    public var headers: [(name: String, value: String)] {
        platform == .apns ? delivery.headers(expiration: expiration) : []
    }

    private static func message(_ data: [UInt8]) -> [UInt8] {
        Array(#"{"message":{"data":"#.utf8) + data + Array(#","android":{"priority":"HIGH"}}}"#.utf8)
    }
}
