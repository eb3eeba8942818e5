internal import CryptoPrimitives

/// The bytes of an image on their way into a file: counted, hashed, and looked at.
struct ImageIntake {
    private let file: WorkFile
    private let byteLimit: Int
    private let hash: [UInt8]?
    private var digest = SHA256()
    private var reader = ImageHeaderReader()
    /// Why it ended before its end.
    private(set) var failure: ImageFailure?

    init(file: WorkFile, byteLimit: Int, hash: [UInt8]?) {
        self.file = file
        self.byteLimit = byteLimit
        self.hash = hash
    }

    /// - Returns: false, always.
    mutating func stop(_ reason: ImageFailure) -> Bool {
        failure = failure ?? reason
        return false
    }

    /// - Returns: whether more is wanted.
    mutating func add(_ bytes: [UInt8]) -> Bool {
        guard failure == nil else { return false }
        guard bytes.count <= byteLimit - file.byteCount else { return stop(.size) }
        if hash != nil { digest.update(data: bytes) }
        do { try file.write(bytes) } catch { return stop(.storage) }
        return true
    }

    /// Looks at what was added just now.
    /// - Returns: whether more is wanted.
    mutating func look(at bytes: [UInt8], _ plan: (ImageHeader) -> ImagePlan) -> Bool {
        guard reader.progress == .needsMore else { return true }
        switch reader.read(bytes) {
        case .needsMore: return true
        case .failed(let error): return stop(error.failure)
        case .header(let header):
            guard case .leaveOut(let reason) = plan(header) else { return true }
            return stop(reason)
        }
    }

    /// All bytes are there.
    func finish() throws(ImageFailure) {
        if let failure { throw failure }
        guard let hash else { return }
        guard constantTimeEqual(digest.finalize(), hash) else { throw .hash }
    }
}
