/// A payload but for the sealed part: the canonical envelope as a platform wants it (envelope spec, section 3).
package struct PayloadFrame: Sendable {
    static let sealedName = "encrypted_payload"

    /// What stands before the sealed part, and after it.
    package let prefix: [UInt8]
    package let suffix: [UInt8]
    /// The bytes that the sealed part may take; negative when the rest is over the limit already.
    package let room: Int

    /// - Parameters:
    ///   - type: the application's word, `[A-Za-z0-9][A-Za-z0-9._-]{0,31}`.
    ///   - body: the placeholder.
    ///   - attributes: for APNs and nowhere else.
    ///   - isObject: whether the sealed part is an object of its own (split) and not the inside of a string.
    /// - Throws: ``FormatError`` naming the member that is not as the profile says.
    package init(
        type: String, body: String, imageURL: String?, attributes: NotificationAttributes?, isObject: Bool = false,
        limit: Int
    ) throws(FormatError) {
        guard Self.isAllowed(type: type) else {
            throw FormatError(
                field: "type", reason: "not 1 to 32 of A-Z a-z 0-9 . _ - beginning with a letter or digit")
        }
        if let imageURL, !ImageReference.isAllowed(imageURL) {
            throw FormatError(field: "image_url", reason: "not https:// followed by printable ASCII")
        }
        var members = [JSONMember("type", .string(type)), JSONMember("body", .string(body))]
        if let imageURL { members.append(JSONMember("image_url", .string(imageURL))) }
        var prefix = ByteWriter(capacity: 512)
        prefix.append(UInt8(ascii: "{"))
        for member in (attributes.map { [JSONMember("aps", $0.json)] } ?? []) + members {
            prefix.append(quoted: member.name)
            prefix.append(UInt8(ascii: ":"))
            prefix.append(json: member.value)
            prefix.append(UInt8(ascii: ","))
        }
        prefix.append(quoted: Self.sealedName)
        prefix.append(UInt8(ascii: ":"))
        if !isObject { prefix.append(UInt8(ascii: "\"")) }
        self.prefix = prefix.bytes
        suffix = Array((isObject ? "}" : "\"}").utf8)
        if attributes != nil {
            room = limit - self.prefix.count - suffix.count
        } else {
            // FCM counts the keys and values of its data, not the JSON around them.
            room = members.reduce(limit - Self.sealedName.utf8.count) {
                $0 - $1.name.utf8.count - ($1.value.text?.utf8.count ?? 0)
            }
        }
    }

    private static func isAllowed(type: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        guard (1...32).contains(type.utf8.count), let first = type.utf8.first, isAlphanumeric(first) else {
            return false
        }
        return type.utf8.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }
}
