/// What was shown last: the digests of what was sealed, and nothing else of it.
struct ShownMessages: Sendable {
    /// At least so many are known; of twice as many the older half goes.
    static let count = 512
    private static let file = "shown"
    private static let lock = "shown.lock"
    private static let lineLength = 33
    private let directory: ContainerDirectory

    init(_ directory: ContainerDirectory) { self.directory = directory }

    /// - Parameter digest: 32 hexadecimal digits.
    func add(_ digest: String) throws(ContainerError) {
        try directory.whileLocked(Self.lock) { () throws(ContainerError) in
            try directory.append(Array("\(digest)\n".utf8), to: Self.file)
            guard let bytes = try directory.read(Self.file, atMost: .max), bytes.count >= 2 * Self.count * Self.lineLength else { return }
            try directory.replace(Self.file, with: Array(bytes.suffix(Self.count * Self.lineLength)), isDurable: false)
        }
    }

    func contains(_ digest: String) throws(ContainerError) -> Bool {
        guard let bytes = try directory.read(Self.file, atMost: .max) else { return false }
        return bytes.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(digest.utf8) }
    }
}
