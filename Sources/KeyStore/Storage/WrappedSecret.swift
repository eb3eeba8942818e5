/// A secret at rest: an item key wrapped under a class key, and the value wrapped under the item key.
struct WrappedSecret: Equatable, Sendable {
    /// Which class key wraps the item key.
    var classKey: String
    var classKeyVersion: Int64
    var itemKey: [UInt8]
    var value: [UInt8]
}
