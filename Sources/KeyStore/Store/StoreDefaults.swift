/// What a store says for all its conversations (placeholder, type, padding …), as canonical JSON that the caller reads.
public struct StoreDefaults: Equatable, Sendable {
    public var json: [UInt8]

    public init(json: [UInt8] = Array("{}".utf8)) { self.json = json }
}
