/// Texts that are not as vector files are published: in UTF-16 or UTF-32, behind a byte order mark, in lines that end with CR alone.
enum OtherEncoding {
    /// How many bytes are looked at.
    private static let lookedAtCount = 1 << 16

    /// The beginning of such a text as it would be in ASCII; nil for what is encoded as it should be, or has other bytes.
    static func beginning(of bytes: [UInt8]) -> [UInt8]? {
        let beginning = bytes.prefix(lookedAtCount)
        let marks: Set<UInt8> = [0x00, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
        let isMarked = beginning.prefix(4).contains { marks.contains($0) }
        let hasOtherLines = beginning.contains(0x0D) && !beginning.contains(0x0A)
        guard isMarked || hasOtherLines else { return nil }
        return beginning.filter { !isMarked || !marks.contains($0) }.map { $0 == 0x0D ? 0x0A : $0 }
    }
}
