/// What was shown last: the digests of what was sealed, and nothing else of it.
struct ShownMessages: Sendable {
    /// At least so many are known; of twice as many the older half goes.
    static let count = 512
    private static let file = "shown"
    private static let lineLength = 33
    /// Of twice as many, and what was added while nobody could make it shorter.
    private static let byteLimit = 4 * count * lineLength
    private let directory: ContainerDirectory
    private let lock: String

    /// - Parameter lock: the name of the lock that who writes into the directory holds.
    init(_ directory: ContainerDirectory, lock: String) {
        self.directory = directory
        self.lock = lock
    }

    /// - Parameter digest: 32 hexadecimal digits.
    func add(_ digest: String) throws(ContainerError) {
        try directory.whileLocked(lock) { () throws(ContainerError) in
            try directory.append(Array("\(digest)\n".utf8), to: Self.file)
            guard try directory.byteCount(of: Self.file) ?? 0 >= 2 * Self.count * Self.lineLength else { return }
            let bytes = try known()
            try directory.replace(Self.file, with: Array(bytes.suffix(Self.count * Self.lineLength)), isDurable: false)
        }
    }

    func contains(_ digest: String) throws(ContainerError) -> Bool {
        try known().split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(digest.utf8) }
    }

    /// Of a file that is larger than one from here can be nothing is known.
    private func known() throws(ContainerError) -> [UInt8] {
        do throws(ContainerError) { return try directory.read(Self.file, atMost: Self.byteLimit) ?? [] } catch {
            guard error.isTooLarge else { throw error }
            return []
        }
    }
}
