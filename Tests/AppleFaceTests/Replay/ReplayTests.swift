import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing
import os

@testable import OpenerNSEApple

/// A message is new once; what the record cannot say is said to be unchecked.
@Suite struct ReplayTests {
    private static let now: Int64 = 1_700_000_000

    private final class Scene {
        let phone: FacePhone
        let directory: ContainerDirectory
        let record: GroupReplayRecord

        init(begun: Bool = true) throws {
            phone = try FacePhone()
            directory = try GroupContainer(phone.appGroup).directory
            record = GroupReplayRecord(directory, log: Logger(subsystem: phone.subsystem, category: "replays"))
            if begun { try record.begin() }
        }

        func remember(_ number: UInt64, until: Int64, now: Int64 = ReplayTests.now, cid: String = "c") throws -> ReplayAnswer {
            record.remember(
                try ConversationIdentifier(cid), try MessageIdentifier(bytes: [0, 0, 0, 0, 0, 0, 0, 0] + number.bigEndianBytes),
                until: until, now: now)
        }
    }

    @Test func aMessageIsNewOnceInEachConversation() throws {
        let scene = try Scene()
        #expect(try scene.remember(1, until: Self.now + 9) == .new)
        #expect(try scene.remember(1, until: Self.now + 9) == .seen)
        #expect(try scene.remember(2, until: Self.now + 9) == .new)
        #expect(try scene.remember(1, until: Self.now + 9, cid: "d") == .new)
        try scene.record.begin()
        #expect(try scene.remember(1, until: Self.now + 9) == .seen)
    }

    @Test func theLatestPrunedEndIsTheFloor() throws {
        let scene = try Scene()
        #expect(try scene.remember(1, until: Self.now + 10) == .new)
        #expect(try scene.remember(2, until: Self.now + 20) == .new)
        // Both have ended: they are forgotten, and 20 is the floor.
        #expect(try scene.remember(3, until: Self.now + 50, now: Self.now + 20) == .new)
        #expect(try scene.remember(1, until: Self.now + 10, now: Self.now + 20) == .unchecked)
        #expect(try scene.remember(4, until: Self.now + 20, now: Self.now + 20) == .unchecked)
        #expect(try scene.remember(5, until: Self.now + 21, now: Self.now + 20) == .new)
        // A floor never sinks, whatever the clock says.
        #expect(try scene.remember(6, until: Self.now + 20, now: Self.now) == .unchecked)
        #expect(try scene.remember(6, until: Self.now + 20, now: Self.now) == .seen)
    }

    @Test func aFullRecordForgetsWhatEndsSoonestAndSaysSo() throws {
        var file = ReplayFile()
        let conversation = try ConversationIdentifier("c")
        func entry(_ number: UInt64, _ until: Int64) throws -> ReplayEntry {
            ReplayEntry(
                conversation, try MessageIdentifier(bytes: [0, 0, 0, 0, 0, 0, 0, 0] + number.bigEndianBytes), until: until)
        }
        for number in 0..<UInt64(ReplayFile.entryLimit) {
            #expect(file.remember(try entry(number, Self.now + 1_000 + Int64(number)), now: Self.now) == .new)
        }
        #expect(file.bytes.count == ReplayFile.byteLimit)
        // Ends before all others: new all the same, and then the first to go.
        #expect(file.remember(try entry(90_000, Self.now + 5_900), now: Self.now) == .new)
        #expect(file.entries.count == ReplayFile.entryLimit && file.floor == Self.now + 1_000)
        #expect(file.remember(try entry(0, Self.now + 1_000), now: Self.now) == .unchecked)
        #expect(file.remember(try entry(90_000, Self.now + 5_900), now: Self.now) == .seen)
        #expect(file.entries.count == ReplayFile.entryLimit && file.bytes.count == ReplayFile.byteLimit)
        #expect(ReplayFile(file.bytes) == file)
    }

    enum Loss: CaseIterable { case gone, empty, cut, foreign, tooLong }

    @Test(arguments: Loss.allCases) func aLostRecordIsNotAnEmptyOne(_ loss: Loss) throws {
        let scene = try Scene()
        #expect(try scene.remember(1, until: Self.now + 86_400) == .new)
        let path = scene.directory.path + "/" + GroupReplayRecord.file
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch loss {
        case .gone: try FileManager.default.removeItem(atPath: path)
        case .empty: try Data().write(to: URL(fileURLWithPath: path))
        case .cut: try bytes.dropLast().write(to: URL(fileURLWithPath: path))
        case .foreign: try (Data("x".utf8) + bytes.dropFirst()).write(to: URL(fileURLWithPath: path))
        case .tooLong: try Data(count: ReplayFile.byteLimit + 24).write(to: URL(fileURLWithPath: path))
        }
        #expect(try scene.remember(1, until: Self.now + 86_400) == .unchecked)
        #expect(try scene.remember(1, until: Self.now + 86_400) == .seen)
        // Whatever is sealed by now has ended then.
        let later = Self.now + ReplayFile.longestValidity
        #expect(try scene.remember(2, until: later, now: later - 1) == .unchecked)
        #expect(try scene.remember(3, until: later + 1, now: later) == .new)
        #expect(scene.phone.lines.contains { $0.contains("replay record") && $0.contains("begins anew") })
    }

    @Test func withoutAContainerNothingIsChecked() throws {
        let record = GroupReplayRecord(nil, log: Logger(subsystem: "x", category: "y"))
        let message = try MessageIdentifier(bytes: [UInt8](repeating: 1, count: 16))
        for _ in 0..<2 {
            #expect(record.remember(try ConversationIdentifier("c"), message, until: Self.now + 9, now: Self.now) == .unchecked)
        }
    }

    @Test func aContainerThatCannotBeWrittenIsUncheckedAndLogged() throws {
        let scene = try Scene()
        let path = scene.directory.path + "/" + GroupReplayRecord.lock
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try scene.remember(1, until: Self.now + 9) == .unchecked)
        #expect(scene.phone.lines.contains { $0.contains("replays.lock: open failed") })
    }

    @Test func ofConcurrentCallsOneIsTold() throws {
        let scene = try Scene()
        let (phone, directory) = (scene.phone, scene.directory)
        let answers = Locked<[ReplayAnswer]>([])
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            // A record of its own, as another process has.
            let record = GroupReplayRecord(directory, log: Logger(subsystem: phone.subsystem, category: "replays"))
            guard let cid = try? ConversationIdentifier("c"), let message = try? MessageIdentifier(bytes: [UInt8](repeating: 1, count: 16))
            else { return }
            let answer = record.remember(cid, message, until: Self.now + 9, now: Self.now)
            answers.with { $0.append(answer) }
        }
        #expect(answers.with { all in (all.count, all.filter { $0 == .new }.count, all.filter { $0 == .seen }.count) } == (32, 1, 31))
    }
}
