internal import OpenerNSE

/// What decoding adds to the memory of a process, at most, by measurements of what the libraries hold.
enum DecodingMemory {
    /// The libraries' code, tables and buffers of fixed size.
    private static let fixed = 3_200_000
    /// Bytes for each pixel of a row: the rows before and after, in each colour, and the sums.
    private static let perColumn = 64

    static func byteCount(for header: ImageHeader, longestSide: Int) -> Int {
        let pixels = header.pixelCount
        let longer = max(header.longerSide, 1)
        let target = longer <= longestSide ? pixels : (header.width * longestSide / longer + 1) * (header.height * longestSide / longer + 1)
        // What a frame leaves of the picture can be seen through.
        let channels = header.traits.contains(.alpha) || header.framePixelCount < pixels ? 4 : 3
        return fixed + target * channels + header.width * perColumn + whole(header, channels)
    }

    /// What is held of the whole image.
    private static func whole(_ header: ImageHeader, _ channels: Int) -> Int {
        let pixels = header.pixelCount
        switch header.type {
        case .jpeg: return header.traits.contains(.severalScans) ? header.coefficientByteCount : 0
        case .png: return header.traits.contains(.interlaced) ? pixels * channels : 0
        case .gif: return header.traits.contains(.interlaced) ? pixels : 0
        case .webp:
            // Four bytes a pixel of a lossless image or transparency, and a byte of transparency once more, of what is decoded. (That
            // a plane of transparency takes one byte a pixel and not four is known only when it is decoded.) A file's first part is
            // read along with all others.
            if header.traits.contains(.lossless) { return header.framePixelCount * 4 + lossless }
            return lossy + (header.traits.contains(.alphaPlane) ? header.framePixelCount * 5 : 0)
        case .heic: return 0
        }
    }

    private static let lossy = 800_000
    private static let lossless = 1_000_000
}
