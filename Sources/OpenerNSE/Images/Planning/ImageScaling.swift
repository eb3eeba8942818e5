/// Makes an image smaller, within the memory that it names beforehand.
public protocol ImageScaling: Sendable {
    /// The bytes that scaling adds to what the process holds, at most.
    /// - Returns: nil for what it cannot scale at all.
    func memory(for header: ImageHeader, longestSide: Int) -> Int?

    /// Writes a smaller image, upright, without metadata and never larger than it was, into a new file.
    /// - Throws: ``ImageFailure/decoding`` for a damaged file, `timeout`, `overBudget` where memory is short after all, `noDecoder`, or
    ///   `storage`; there is no file then.
    func scale(_ order: ScalingOrder) throws(ImageFailure) -> AttachedImage
}
