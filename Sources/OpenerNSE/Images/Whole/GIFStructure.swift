/// The blocks of a GIF, from its screen to its trailer (GIF89a, section 11 on).
enum GIFStructure {
    static func pass(_ bytes: inout FileBytes) throws(ImageFailure) {
        try colours(after: try bytes.take(13)[10], &bytes)
        var hasFrame = false
        while true {
            switch try bytes.take(1)[0] {
            case 0x21:
                // What kind it is of.
                try bytes.skip(1)
                try subBlocks(&bytes)
            case 0x2C:
                try colours(after: try bytes.take(9)[8], &bytes)
                guard (1...11).contains(try bytes.take(1)[0]) else { throw .decoding }
                guard try subBlocks(&bytes) > 0 else { throw .decoding }
                hasFrame = true
            case 0x3B:
                guard hasFrame else { throw .decoding }
                return
            default: throw .decoding
            }
        }
    }

    private static func colours(after flags: UInt8, _ bytes: inout FileBytes) throws(ImageFailure) {
        if flags & 0x80 != 0 { try bytes.skip(3 << (Int(flags & 7) + 1)) }
    }

    /// - Returns: how many bytes they hold.
    @discardableResult
    private static func subBlocks(_ bytes: inout FileBytes) throws(ImageFailure) -> Int {
        var sum = 0
        while true {
            let length = Int(try bytes.take(1)[0])
            guard length > 0 else { return sum }
            try bytes.skip(length)
            sum += length
        }
    }
}
