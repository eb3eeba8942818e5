import Foundation
import Testing

@testable import OpenerNSE

/// What is no file of ours is a fault with a name, and never something to wait for.
@Suite struct ContainerDirectoryTests {
    private let container: TemporaryContainer
    private var directory: ContainerDirectory { container.directory }

    init() throws { container = try TemporaryContainer() }

    @Test func absentIsNotTooLarge() throws {
        #expect(try directory.read("file", atMost: 3) == nil)
        try directory.replace("file", with: [1, 2, 3])
        #expect(try directory.read("file", atMost: 3) == [1, 2, 3])
        let error = #expect(throws: ContainerError.self) { try directory.read("file", atMost: 2) }
        #expect(error == .tooLarge("file") && error?.isTooLarge == true && error?.isNoFile == false)
    }

    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        #expect(mkfifo(container.path + "/fifo", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: container.path + "/folder", withIntermediateDirectories: false)
        try directory.replace("file", with: [1])
        try FileManager.default.createSymbolicLink(atPath: container.path + "/link", withDestinationPath: "file")
        for name in ["fifo", "folder", "link"] {
            let error = #expect(throws: ContainerError.self) { try directory.read(name, atMost: 9) }
            #expect(error?.isNoFile == true && error?.name == name)
            #expect(throws: ContainerError.self) { try directory.append([2], to: name) }
            #expect(throws: ContainerError.self) { try directory.whileLocked(name) {} }
            #expect(throws: ContainerError.self) { try directory.rename(name, to: "other", isDurable: true) }
        }
        // What takes the place of a link leaves what it led to alone.
        try directory.replace("link", with: [7])
        #expect(try directory.read("file", atMost: 9) == [1] && directory.read("link", atMost: 9) == [7])
    }

    @Test func aLockIsNotWaitedForWithoutEnd() throws {
        let directory = try ContainerDirectory(container.path, patience: .milliseconds(1))
        let lock = try #require(try self.directory.lock("lock"))
        let error = #expect(throws: ContainerError.self) { try directory.whileLocked("lock") { Issue.record("it is held") } }
        #expect(error?.operation == "flock")
        #expect(try directory.ifUnlocked("lock") {} == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func whatIsTooLargeIsAsGoodAsNoNotes() throws {
        try directory.replace("bundle-needed.json", with: [UInt8](repeating: 0x20, count: 65 << 10))
        let notes = BundleNotes(directory)
        #expect(try notes.take().isEmpty)
        try directory.replace("bundle-needed.json", with: [UInt8](repeating: 0x20, count: 65 << 10))
        notes.add(nil, at: 1)
        #expect(try notes.take().count == 1)
        try directory.replace("shown", with: [UInt8](repeating: 0x61, count: 1 << 20))
        let shown = ShownMessages(directory, lock: "lock")
        #expect(try !shown.contains(String(repeating: "a", count: 32)))
        try shown.add(String(repeating: "b", count: 32))
        try shown.add(String(repeating: "c", count: 32))
        #expect(try shown.contains(String(repeating: "c", count: 32)))
    }
}
