/// One image that is to be made smaller.
public struct ScalingOrder: Sendable {
    /// The file it is in.
    public let path: String
    /// What was found in it, by which it was decided that it is scaled.
    public let header: ImageHeader
    /// The path of the file that is written, without the extension, which its type gives. It must not be there yet.
    public let outputStem: String
    /// Pixels of the longer side, at most.
    public let longestSide: Int
    public let budget: Duration

    public init(path: String, header: ImageHeader, outputStem: String, longestSide: Int, budget: Duration) {
        self.path = path
        self.header = header
        self.outputStem = outputStem
        self.longestSide = longestSide
        self.budget = budget
    }
}
