import Foundation
import Simulator
import Testing

/// What rehearsals that were killed have left goes with a later one.
@Suite struct RehearsedContainerTests {
    @Test func whatIsOldIsNobodysAnyMore() throws {
        let files = FileManager.default
        func left(age: TimeInterval) throws -> String {
            let path = NSTemporaryDirectory() + "waxwing-rehearsal-\(UUID().uuidString)"
            try files.createDirectory(atPath: path + "/images", withIntermediateDirectories: true)
            try Data([1]).write(to: URL(fileURLWithPath: path + "/images/a"))
            try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
            return path
        }
        let (old, young) = (try left(age: 7_200), try left(age: 60))
        defer { try? files.removeItem(atPath: young) }
        let container = try RehearsedContainer(of: "/nonexistent")
        #expect(!files.fileExists(atPath: old) && files.fileExists(atPath: young))
        #expect(files.fileExists(atPath: container.path))
    }
}
