/// The chunks of a WebP, which fill its container (RFC 9649, section 2).
enum WebPStructure {
    static func pass(_ bytes: inout FileBytes) throws(ImageFailure) {
        let end = try bytes.take(12).little(4, 4) + 8
        guard end <= bytes.count, try chunks(until: end, &bytes) else { throw .decoding }
    }

    /// - Returns: whether there are pixels among them.
    private static func chunks(until end: Int, _ bytes: inout FileBytes) throws(ImageFailure) -> Bool {
        var hasPixels = false
        while bytes.at < end {
            let head = try bytes.take(8)
            // One of an odd length is filled up by a byte.
            let length = head.little(4, 4) + head.little(4, 4) % 2
            guard length <= end - bytes.at else { throw .decoding }
            if head.has("ANMF", at: 0) {
                let frameEnd = bytes.at + length
                // Its place and how long it is shown.
                guard length >= 16 else { throw .decoding }
                try bytes.skip(16)
                guard try chunks(until: frameEnd, &bytes) else { throw .decoding }
                hasPixels = true
            } else {
                if head.has("VP8 ", at: 0) || head.has("VP8L", at: 0) { hasPixels = true }
                try bytes.skip(length)
            }
        }
        return hasPixels
    }
}
