import CrashSupport
import Foundation
import TestSupport
import Testing

/// A write-ahead log of which a part is missing or changed, as after a power cut: one of the states there were, whole.
@Suite struct TornLogTests {
    private let prepared: PreparedOperation
    /// The scene with what three commits left in the log.
    private let torn: String
    private let log: [UInt8]
    private let logPath: String

    init() throws {
        prepared = try PreparedOperation(.named("lease") ?? .idle)
        torn = prepared.folder + "-torn"
        logPath = prepared.folder + "/backend/group.waxwing.default/store.sqlite-wal"
        try prepared.putBack()
        // The worker waits with its stores open; the log stays where it is.
        let worker = try prepared.run("full", .max)
        let report = try worker.report()
        #expect(report.outcome == prepared.outcomes.last)
        _ = worker.killNow()
        try FileManager.default.copyItem(atPath: prepared.folder, toPath: torn)
        log = Array(try Data(contentsOf: URL(fileURLWithPath: logPath)))
        try #require(log.count > 32 + 3 * frameByteCount && prepared.outcomes.count == 4)
    }

    private var frameByteCount: Int { 24 + log[8..<12].reduce(0) { $0 << 8 | Int($1) } }

    @Test func cutAnywhere() throws {
        let frames = (log.count - 32) / frameByteCount
        var states: [Int] = []
        for frame in 0...frames {
            let end = 32 + frame * frameByteCount
            states.append(try state(log: log[..<end]))
            guard frame < frames else { break }
            // Within the frame: in its header, behind it, before its last byte.
            let parts = [1, 24, frameByteCount - 1]
            for part in TestAmount.isSlow ? parts : [parts[frame % parts.count]] {
                #expect(try state(log: log[..<(end + part)]) == states.last)
            }
        }
        for length in [0, 1, 31] { #expect(try state(log: log[..<length]) == 0) }
        #expect(states == states.sorted() && states.first == 0 && states.last == 3)
        #expect(Set(states) == [0, 1, 2, 3])
    }

    @Test func changedAnywhere() throws {
        var random = RepeatableRandom.announced()
        for _ in 0..<(TestAmount.isSlow ? 2_000 : 25) {
            let position = Int.random(in: 0..<log.count, using: &random)
            var log = log
            log[position] ^= UInt8.random(in: 1...255, using: &random)
            let state = try state(log: log[...])
            // What stands before the change is believed, and nothing from there on. The numbers of checkpoints (12 to 15)
            // and the rest of a log of before are not looked at.
            let before = try self.state(log: self.log[..<max(0, position - (position - 32) % frameByteCount)])
            #expect(state == before || (12..<16).contains(position) && state == 3, "byte \(position)")
        }
    }

    /// Which of the states there is with this log; the store goes on from there.
    private func state(log: ArraySlice<UInt8>) throws -> Int {
        try FileManager.default.removeItem(atPath: prepared.folder)
        try FileManager.default.copyItem(atPath: torn, toPath: prepared.folder)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: log)
        try file.close()
        let scene = CrashScene(prepared.folder)
        try scene.verifyWhole()
        let outcome = try scene.outcome()
        let state = try #require(prepared.outcomes.firstIndex(of: outcome), "\(outcome)")
        _ = try scene.backend.ratchet(try scene.conversation(CrashScene.direct), now: scene.now)
        try scene.verifyWhole()
        return state
    }
}
