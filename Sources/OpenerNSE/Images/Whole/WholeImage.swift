/// Whether a file that is attached as it was fetched is whole, by its structure alone: nothing of it is decoded. What is cut short,
/// has been changed on its way or has something else behind its end is no image.
enum WholeImage {
    /// - Throws: ``ImageFailure/decoding`` for a file that is not; `storage` and `timeout` where it could not be looked at.
    static func check(_ file: WorkFile, _ type: ImageType, _ time: StageTime) throws(ImageFailure) {
        var bytes = FileBytes(file, time)
        switch type {
        case .jpeg: try JPEGStructure.pass(&bytes)
        case .png: try PNGStructure.pass(&bytes)
        case .gif: try GIFStructure.pass(&bytes)
        case .webp: try WebPStructure.pass(&bytes)
        case .heic: try HEICStructure.pass(&bytes)
        }
        guard bytes.left == 0 else { throw .decoding }
    }
}
