/// The names that the profile has for claims and for what is in them. A device passes over others; a sealer refuses them, as it
/// would leave out without a word what its caller meant to send.
package enum ClaimNames {
    private static let claims = [
        "jti", "iat", "exp", "sub", "title", "subtitle", "body", "loc_title", "loc_body", "thread", "category", "image", "data",
        "trunc",
    ]
    /// Of the claims that are objects with names of their own, and not the caller's.
    package static let inside = [
        ("image", ["url", "sha256", "key"]), ("loc_title", ["key", "args"]), ("loc_body", ["key", "args"]),
    ]

    /// - Throws: ``FormatError`` for a claim, or a member inside one, that the profile does not have.
    package static func check(_ json: JSONValue) throws(FormatError) {
        try require(json, claims, "claims")
        for (claim, names) in inside { try require(json[claim], names, claim) }
    }

    private static func require(_ json: JSONValue?, _ names: [String], _ field: String) throws(FormatError) {
        let members = json?.members ?? []
        guard members.allSatisfy({ member in names.contains { $0.isSame(as: member.name) } }) else {
            throw FormatError(field: field, reason: "an unknown member")
        }
    }
}
