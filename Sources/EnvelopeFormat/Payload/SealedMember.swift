/// What stands under `encrypted_payload`, as far as opening tells it apart.
public enum SealedMember: Sendable {
    case absent
    case string(String)
    case object([JSONMember])
    case other

    /// Reads a whole payload: steps 1 to 3 of opening.
    ///
    /// - Parameter limit: the most bytes a payload may have.
    /// - Throws: `too-large` or `malformed`.
    public init(payload: [UInt8], limit: Int) throws(Outcome) {
        guard payload.count <= limit else { throw .tooLarge }
        guard let json = try? JSONValue.parse(payload), json.members != nil else { throw .malformed }
        self.init(json[PayloadFrame.sealedName])
    }

    /// - Parameter value: what stands there; nil for nothing.
    public init(_ value: JSONValue?) {
        switch value {
        case nil: self = .absent
        case .string(let text): self = .string(text)
        case .object(let members): self = .object(members)
        default: self = .other
        }
    }
}
