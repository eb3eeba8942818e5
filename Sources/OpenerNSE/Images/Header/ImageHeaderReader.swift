/// Finds the header of an image in a file that comes in pieces, by content alone: no name and no `Content-Type` is asked.
///
/// It keeps 256 KiB at most, whatever lengths the file claims, and the work is in proportion to the bytes that were read.
public struct ImageHeaderReader {
    public enum Progress: Sendable, Equatable {
        case needsMore
        case header(ImageHeader)
        case failed(ImageHeaderError)
    }

    /// As many bytes tell the types apart.
    private static let signatureLength = 12
    private var signature: [UInt8] = []
    private var type: ImageType?
    private var scanner: (any HeaderScanner)?
    private var skipped = 0
    private var wanted = 0
    private var taken: [UInt8] = []
    public private(set) var progress = Progress.needsMore

    public init() {}

    /// The header of a file that is in memory.
    public static func header(of bytes: [UInt8]) throws(ImageHeaderError) -> ImageHeader {
        var reader = ImageHeaderReader()
        reader.read(bytes)
        return try reader.finish()
    }

    /// Takes the next piece of the file; once there is a header or a failure, nothing changes it.
    @discardableResult
    public mutating func read(_ bytes: [UInt8]) -> Progress {
        guard progress == .needsMore else { return progress }
        guard scanner == nil else {
            scan(bytes[...])
            return progress
        }
        let missing = Self.signatureLength - signature.count
        signature += bytes.prefix(missing)
        guard signature.count == Self.signatureLength else { return progress }
        guard let (type, scanner) = Self.recognize(signature) else {
            progress = .failed(ImageHeaderError(type: nil, reason: "neither JPEG, PNG, GIF, WebP nor HEIC"))
            return progress
        }
        self.type = type
        self.scanner = scanner
        take(scanner.first)
        scan(signature[...])
        scan(bytes.dropFirst(missing))
        return progress
    }

    /// The file is at its end.
    public func finish() throws(ImageHeaderError) -> ImageHeader {
        switch progress {
        case .header(let header): return header
        case .failed(let error): throw error
        case .needsMore: throw ImageHeaderError(type: type, reason: type == nil ? "too short for any" : "cut short before its size")
        }
    }

    private mutating func scan(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while progress == .needsMore {
            let passed = min(skipped, rest.count)
            skipped -= passed
            rest = rest.dropFirst(passed)
            guard skipped == 0 else { return }
            let piece = rest.prefix(wanted - taken.count)
            taken += piece
            rest = rest.dropFirst(piece.count)
            guard taken.count == wanted, let step = scanner?.next(taken) else { return }
            take(step)
        }
    }

    private mutating func take(_ step: HeaderStep) {
        taken.removeAll(keepingCapacity: true)
        switch step {
        case .take(let count, let distance):
            wanted = count
            skipped = distance
        case .done(let header): progress = .header(header)
        case .failed(let reason): progress = .failed(ImageHeaderError(type: type, reason: reason))
        }
    }

    private static func recognize(_ bytes: [UInt8]) -> (ImageType, any HeaderScanner)? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return (.jpeg, JPEGScanner()) }
        if bytes.starts(with: PNGScanner.signature) { return (.png, PNGScanner()) }
        if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return (.gif, GIFScanner()) }
        if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return (.webp, WebPScanner()) }
        // AVIF and films are of the same container; the brands that follow tell.
        if bytes.has("ftyp", at: 4), HEICScanner.isBrand(bytes, at: 8) { return (.heic, HEICScanner()) }
        return nil
    }
}
