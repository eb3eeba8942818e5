import EnvelopeFormat

/// A payload as it may be handed over: of APNs, an FCM message, or the bare object of an FCM message's data.
struct ReceivedPayload {
    let platform: Platform
    /// The object that has `encrypted_payload`.
    let object: JSONValue
    /// The bytes of that object: as given, or for an FCM message written anew.
    let bytes: [UInt8]
    /// As the platform counts them.
    let byteCount: Int

    /// - Throws: ``FormatError`` for what is not strict JSON or no object.
    init(_ payload: [UInt8]) throws(FormatError) {
        guard !payload.isEmpty else { throw FormatError(field: "payload", reason: "empty") }
        let json = try JSONValue.parse(payload)
        guard json.members != nil else { throw FormatError(field: "payload", reason: "not an object") }
        if let data = json["message"]?["data"], data.members != nil {
            self.init(platform: .fcm, object: data, bytes: data.write())
        } else if json["aps"] == nil, Self.isData(json) {
            self.init(platform: .fcm, object: json, bytes: payload)
        } else {
            self.init(platform: .apns, object: json, bytes: payload)
        }
    }

    private init(platform: Platform, object: JSONValue, bytes: [UInt8]) {
        self.platform = platform
        self.object = object
        self.bytes = bytes
        byteCount = platform == .apns ? bytes.count : Self.count(object)
    }

    /// Data of FCM are strings.
    private static func isData(_ json: JSONValue) -> Bool { json.members?.allSatisfy { $0.value.text != nil } ?? false }

    private static func count(_ data: JSONValue) -> Int {
        (data.members ?? []).reduce(0) {
            $0 + $1.name.utf8.count + ($1.value.text?.utf8.count ?? $1.value.write().count)
        }
    }
}
