/// A cryptographic hash function; ``SHA256`` is the one there is.
public protocol HashFunction: Sendable {
    /// The value of a finished hash.
    associatedtype Digest

    /// The length of the function's internal block, in bytes.
    static var blockByteCount: Int { get }

    /// The hash of nothing yet.
    init()

    /// Takes in the bytes.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// The digest of what was taken in so far; more can be taken in afterwards.
    func finalize() -> Digest
}
