/// What a scanner wants next of a file.
enum HeaderStep {
    /// So many bytes, after others that are of no interest.
    case take(Int, after: Int = 0)
    case done(ImageHeader)
    case failed(String)
}

/// Reads the header of one type, a few bytes at a time; every step takes at least one byte, so that steps end with the file.
protocol HeaderScanner {
    var first: HeaderStep { get }
    /// - Parameter bytes: as many as were to be taken.
    mutating func next(_ bytes: [UInt8]) -> HeaderStep
}

extension [UInt8] {
    /// A number, most significant byte first. The bytes have to be there.
    func big(_ at: Int, _ count: Int) -> Int { self[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }

    /// A number, least significant byte first.
    func little(_ at: Int, _ count: Int) -> Int { self[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) } }

    func has(_ text: StaticString, at: Int) -> Bool {
        text.withUTF8Buffer { count >= at + $0.count && self[at..<at + $0.count].elementsEqual($0) }
    }
}
