/// Whether a file that is attached as it was fetched is whole, by its structure alone: nothing of it is decoded. What is cut short is no
/// image. What stands behind the end is not looked at, as nobody who shows it does: cameras put films and further images there.
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
    }
}
