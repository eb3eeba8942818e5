/// Of the inputs that were accepted, different ones, evenly drawn: those with the smallest hashes.
struct OpenedSample {
    private static let mostInputs = 4_000
    private static let mostBytes = 8 << 20

    private(set) var inputs: [UInt64: [UInt8]] = [:]
    private var byteCount = 0
    private var mask: UInt64 = 0

    mutating func add(_ input: [UInt8]) {
        let hash = Self.hash(input)
        guard hash & mask == 0, inputs.updateValue(input, forKey: hash) == nil else { return }
        byteCount += input.count
        while inputs.count > Self.mostInputs || byteCount > Self.mostBytes {
            mask = mask << 1 | 1
            for (hash, input) in inputs where hash & mask != 0 {
                inputs[hash] = nil
                byteCount -= input.count
            }
        }
    }

    /// FNV-1a, its low bits mixed.
    private static func hash(_ input: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9 >> 8
    }
}
