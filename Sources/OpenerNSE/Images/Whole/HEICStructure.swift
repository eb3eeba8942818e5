/// The boxes of a HEIC, one behind the other (ISO/IEC 14496-12, section 4.2), up to where what describes the image and its pixels have
/// both been, and no box follows. What they hold is not looked into.
enum HEICStructure {
    static func pass(_ bytes: inout FileBytes) throws(ImageFailure) {
        var (hasDescription, hasPixels) = (false, false)
        while bytes.left > 0 {
            let start = bytes.at
            let isComplete = hasDescription && hasPixels
            guard bytes.left >= 8 || !isComplete else { return }
            let head = try bytes.take(8)
            var length = head.big(0, 4)
            switch length {
            // Up to the end of the file.
            case 0: length = bytes.count - start
            // Longer than four bytes say.
            case 1:
                let long = try bytes.take(8)
                guard long[0] < 0x80 else { throw .decoding }
                length = long.big(0, 8)
            default: break
            }
            let taken = bytes.at - start
            guard length >= taken, length - taken <= bytes.left else {
                guard isComplete else { throw .decoding }
                return
            }
            if head.has("meta", at: 4) { hasDescription = true }
            if head.has("mdat", at: 4), length > taken { hasPixels = true }
            try bytes.skip(length - taken)
        }
        guard hasDescription, hasPixels else { throw .decoding }
    }
}
