/// Input that holds secrets: an enrollment document, a split key. Its bytes are wiped when it goes.
final class SecretInput {
    /// The bound of such input, far above what any of it needs.
    static let largestByteCount = 4 << 20

    private var bytes: [UInt8]

    /// Reads a file, or standard input for `-`.
    init(reading path: String) throws(CommandError) {
        bytes = try Input.read(path, limit: Self.largestByteCount)
    }

    deinit { SecretBytes.wipe(&bytes) }

    /// The one door to the bytes; the callee must not keep them.
    func withBytes<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result { try body(bytes) }
}
