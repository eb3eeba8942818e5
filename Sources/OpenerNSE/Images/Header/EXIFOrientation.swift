/// The one entry of EXIF that is of interest here.
enum EXIFOrientation {
    private static let tag = 0x0112

    /// - Parameter bytes: a TIFF header and what follows.
    /// - Returns: 1 to 8; nil where it is not said, or not in a way that can be read.
    static func find(in bytes: [UInt8]) -> Int? {
        let isLittle = bytes.has("II*\0", at: 0)
        guard isLittle || bytes.has("MM\0*", at: 0), bytes.count >= 8 else { return nil }
        func number(_ at: Int, _ count: Int) -> Int { isLittle ? bytes.little(at, count) : bytes.big(at, count) }
        let directory = number(4, 4)
        guard directory >= 8, directory + 2 <= bytes.count else { return nil }
        let count = number(directory, 2)
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard entry + 12 <= bytes.count else { return nil }
            guard number(entry, 2) == tag else { continue }
            // One number of 16 bits.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1 else { return nil }
            let value = number(entry + 8, 2)
            return (1...8).contains(value) ? value : nil
        }
        return nil
    }
}
