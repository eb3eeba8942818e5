/// What is done with an image, known from its header before anything of it is decoded.
public enum ImagePlan: Sendable, Equatable {
    /// Made smaller, for so many bytes of memory at most.
    case scale(byteCount: Int)
    /// The file as it was fetched.
    case attachUnscaled(UnscaledReason)
    case leaveOut(ImageFailure)

    /// - Parameters:
    ///   - byteCount: of the file; nil while it is not known yet, which forbids nothing.
    ///   - scaler: nil where there is none.
    public init(_ header: ImageHeader, byteCount: Int?, limits: ImageLimits, scaler: (any ImageScaling)?) {
        guard !header.traits.contains(.uncommon) else {
            // The system would not show it either.
            self = .leaveOut(.decoding)
            return
        }
        let fits = (byteCount ?? 0) <= limits.unscaledByteCount && header.pixelCount <= limits.unscaledPixelCount
        if header.traits.contains(.animated), header.longerSide <= limits.longestSide, fits {
            // Small enough already; scaled it would stand still.
            self = .attachUnscaled(.moving)
            return
        }
        let cost = scaler?.memory(for: header, longestSide: limits.longestSide)
        let isBounded = header.pixelCount <= limits.scaledPixelCount && header.longerSide <= limits.scaledSide
        if let cost, cost <= limits.decodingByteCount, isBounded {
            self = .scale(byteCount: cost)
        } else if fits {
            self = .attachUnscaled(cost == nil ? .noDecoder : .overBudget)
        } else {
            self = .leaveOut(cost == nil ? .noDecoder : .overBudget)
        }
    }
}
