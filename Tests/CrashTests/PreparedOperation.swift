import CrashSupport
import Foundation
import KeyStore
import StoreFixtures
import TestSupport
import Testing

/// An operation with the scene that it starts from, which is copied back before each run.
final class PreparedOperation {
    let operation: CrashOperation
    /// The states before the first step and after each.
    let outcomes: [SceneState]
    /// How many write boundaries it has at which a fault makes a difference; one or two more or less from run to run, as
    /// names are drawn at random.
    private(set) var boundaries: [String: Int] = [:]
    /// Always the same path: a store knows that of its key file.
    let folder: String
    private let turn: FixtureTurn?
    private let root: String
    private var kept: String { root + "/kept" }

    /// All operations on stores, or those that `CRASH_OPERATIONS` names in the environment, with commas between.
    static let chosen = chosen(of: CrashOperation.all)
    /// The same with those that are killed and nothing else.
    static let killed = chosen(of: CrashOperation.all + CrashOperation.draining)

    private static func chosen(of all: [CrashOperation]) -> [CrashOperation] {
        guard let names = ProcessInfo.processInfo.environment["CRASH_OPERATIONS"] else { return all }
        let words = names.split(separator: ",").map(String.init)
        return all.filter { words.contains($0.name) }
    }

    init(_ operation: CrashOperation, in parent: String? = nil) throws {
        self.operation = operation
        turn = operation.isOnFixtures ? try FixtureTurn() : nil
        root = try Self.temporaryFolder(in: parent ?? Self.standardParent)
        folder = root + "/scene"
        do { outcomes = try Self.outcomes(of: operation, in: root, folder) } catch {
            try? FileManager.default.removeItem(atPath: root)
            throw error
        }
        try putBack()
        let worker = try run("count", 0)
        let report = try worker.report()
        #expect(worker.end() == nil)
        #expect(report.outcome == outcomes.last, "\(operation): \(String(describing: report.failure))")
        boundaries = report.passed
        try #require(!boundaries.isEmpty)
    }

    /// Prepares the scene, keeps a copy of it, and runs the operation.
    private static func outcomes(of operation: CrashOperation, in root: String, _ folder: String) throws -> [SceneState] {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let scene = CrashScene(folder)
        try operation.prepare(scene)
        scene.close()
        try FileManager.default.copyItem(atPath: folder, toPath: root + "/kept")
        // As it is put back: that, too, is in the audit logs.
        try scene.unlockPhones()
        var outcomes = [try scene.outcome()]
        for step in operation.steps.indices {
            try operation.run(step, in: scene)
            let (before, after) = (outcomes.last?.entries ?? [:], try scene.outcome())
            if operation.steps[step].isEntered {
                #expect(
                    after.entries.contains { $0.value > before[$0.key, default: 0] },
                    "\(operation): of step \(step) nothing is written down")
            }
            outcomes.append(after)
        }
        scene.close()
        return outcomes
    }

    deinit {
        // Takes the class keys out of the session.
        let scene = CrashScene(folder)
        scene.forgetSessions()
        scene.close()
        try? FileManager.default.removeItem(atPath: root)
    }

    /// Makes the scene as it was before the operation.
    func putBack() throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: kept, toPath: folder)
        // Class keys of a phone are no part of its files.
        let scene = CrashScene(folder)
        try scene.unlockPhones()
        scene.close()
    }

    /// Whether that is what the operation comes to when it goes on from a state that was found. From one between two it repeats
    /// some of what it did, which is then written down twice.
    func isLast(_ state: SceneState, from found: SceneState) -> Bool {
        guard let last = outcomes.last else { return false }
        return outcomes.contains(found) ? state == last : state.hasReached(last)
    }

    func run(_ fault: String, _ number: Int) throws -> CrashWorker {
        try CrashWorker([folder, operation.name, fault, String(number)])
    }

    /// Numbers of boundaries for a fault, evenly spread; all of them in the slow run.
    func spread(_ count: Int, for fault: String, using random: inout RepeatableRandom) -> [Int] {
        let boundaries = boundaries[fault, default: 0]
        let start = Int.random(in: 0..<max(1, boundaries), using: &random)
        guard !TestAmount.isSlow, boundaries > count else { return Array(1...max(1, boundaries)) }
        return (0..<count).map { 1 + (start + $0 * boundaries / count) % boundaries }
    }

    private static let standardParent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"

    /// Of this process alone, and of a name that no pattern of another run's clean-up fits by chance.
    static func temporaryFolder(in parent: String) throws -> String {
        var template = Array("\(parent)/.waxwing-crash-\(getpid())-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
