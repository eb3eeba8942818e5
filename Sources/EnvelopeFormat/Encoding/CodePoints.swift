// Swift's == on strings is canonical equivalence: to it the Kelvin sign is a K. Names and words on the wire are
// compared by these instead.
extension StringProtocol {
    /// Whether both are the same sequence of code points; no normalisation.
    public func isSame(as other: some StringProtocol) -> Bool {
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension RawRepresentable where RawValue == String {
    /// The case of exactly this name, code point by code point.
    public init?(exactly name: String) {
        guard let value = Self(rawValue: name), value.rawValue.isSame(as: name) else { return nil }
        self = value
    }
}

extension String {
    /// The text that the bytes are in UTF-8; nil when they are not. (The standard library's own is not on iOS 17.)
    package init?(strictUTF8 bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
