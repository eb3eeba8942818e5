/// A file of the stage's, read forwards in pieces of 32 KiB, however long it is.
struct FileBytes {
    private static let pieceLength = 32 << 10

    let count: Int
    /// How many bytes are behind.
    private(set) var at = 0
    private let file: WorkFile
    private let time: StageTime
    private var piece: [UInt8] = []
    private var pieceStart = 0

    init(_ file: WorkFile, _ time: StageTime) {
        self.file = file
        self.time = time
        count = file.byteCount
    }

    var left: Int { count - at }

    /// - Throws: ``ImageFailure/decoding`` where the file ends before.
    mutating func take(_ length: Int) throws(ImageFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try pass(length) { bytes += $0 }
        return bytes
    }

    /// The byte that is next, and stays so; nil at the end.
    mutating func next() throws(ImageFailure) -> UInt8? { left > 0 ? try rest().first : nil }

    /// Goes on behind so many bytes, of which none are read.
    /// - Throws: ``ImageFailure/decoding`` where the file ends before.
    mutating func skip(_ length: Int) throws(ImageFailure) {
        guard length <= left else { throw .decoding }
        at += length
    }

    /// Goes on behind so many bytes, and shows them piece by piece.
    /// - Throws: ``ImageFailure/decoding`` where the file ends before.
    mutating func pass(_ length: Int, _ body: (ArraySlice<UInt8>) -> Void) throws(ImageFailure) {
        guard length <= left else { throw .decoding }
        let end = at + length
        while at < end {
            let bytes = try rest().prefix(end - at)
            body(bytes)
            at += bytes.count
        }
    }

    /// Goes on behind the next byte of that value.
    /// - Throws: ``ImageFailure/decoding`` where there is none.
    mutating func pass(through value: UInt8) throws(ImageFailure) {
        while left > 0 {
            let bytes = try rest()
            guard let found = bytes.firstIndex(of: value) else {
                at += bytes.count
                continue
            }
            at += found - bytes.startIndex + 1
            return
        }
        throw .decoding
    }

    /// What is in memory from here on: at least one byte.
    private mutating func rest() throws(ImageFailure) -> ArraySlice<UInt8> {
        if !(pieceStart..<pieceStart + piece.count).contains(at) {
            _ = try time.left()
            piece = try file.read(at: at, length: Self.pieceLength)
            pieceStart = at
        }
        return piece[(at - pieceStart)...]
    }
}
