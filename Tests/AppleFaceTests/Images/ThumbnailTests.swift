import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// What ImageIO is asked for; what it makes of it, a Mac has to say.
@Suite struct ThumbnailTests {
    @Test(arguments: ImageType.allCases) func itIsSmallUprightAndOfATypeThatEverySystemWrites(_ type: ImageType) throws {
        let source = try TemporaryFile.make("source.\(type.fileExtension)")
        let folder = source.deletingLastPathComponent().path
        let image = try ImageIOThumbnail().make(of: source.path, type: type, in: folder)
        #expect(image.type == (type == .png || type == .gif ? .png : .jpeg) && image.unscaled == nil)
        #expect(image.path.hasSuffix(".\(image.type.fileExtension)") && image.path != source.path)
        #expect(FileManager.default.fileExists(atPath: source.path))
        let asked = try String(contentsOfFile: image.path, encoding: .utf8).split(separator: "\n")
        #expect(asked.first.map(String.init) == image.type.uniformType)
        for option in [
            "kCGImageSourceCreateThumbnailFromImageAlways=true", "kCGImageSourceCreateThumbnailWithTransform=true",
            "kCGImageSourceThumbnailMaxPixelSize=1024", "kCGImageDestinationLossyCompressionQuality=0.8",
        ] {
            #expect(asked.contains { $0 == option }, "\(option)")
        }
        #expect(asked.count == 6)
    }

    @Test func whatIsNoImageOrCannotBeWrittenIsSaid() throws {
        let source = try TemporaryFile.make("source.jpg")
        let folder = source.deletingLastPathComponent().path
        #expect(throws: ImageFailure.decoding) { try ImageIOThumbnail().make(of: folder + "/none.jpg", type: .jpeg, in: folder) }
        #expect(throws: ImageFailure.storage) { try ImageIOThumbnail().make(of: source.path, type: .jpeg, in: folder + "/none") }
        try Data("short".utf8).write(to: source)
        #expect(throws: ImageFailure.decoding) { try ImageIOThumbnail().make(of: source.path, type: .jpeg, in: folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["source.jpg"])
    }
}
