import EnvelopeFormat
import Foundation
import KeyStore
import SealTestSupport
import Synchronization

/// Four sealing processes that stay up while a fifth changes keys, and a sixth (this one) delivers the bundles.
final class SealingUnderChange: Sendable {
    static let sealers = 4
    static let batches = 20
    static let ratchets = 20
    /// When the rekeys and the removal come, by the number of ratchets before them.
    private static let rekeys = [5, 14]
    private static let removal = 10
    /// What is killed, and in which batch.
    private static let kills = [0: 6, 2: 13]
    private static let hpkeEvery = 50

    /// After this time nothing may begin under that epoch, or any of that handle.
    struct Retirement: Sendable {
        let returned: Int64
        let what: String
        let conversation: String
        let covers: @Sendable (KeyIdentifier) -> Bool
    }

    let sealsEach: Int
    let backend: Backend
    /// Two, so that two threads can open what was sealed for both.
    let staying: [ReceivingPhone]
    let leaves: ReceivingPhone
    let retirements = Mutex<[Retirement]>([])
    let leases = Mutex(Leases())
    let killed = Atomic<Int>(0)
    private let pace = Pace()
    private let direct: ConversationIdentifier
    private let hpke: ConversationIdentifier

    init(sealsEach: Int) throws {
        precondition(sealsEach.isMultiple(of: Self.batches))
        self.sealsEach = sealsEach
        backend = try Backend()
        staying = [
            try ReceivingPhone("stays", with: backend.store), try ReceivingPhone("stays too", with: backend.store),
        ]
        leaves = try ReceivingPhone("leaves", with: backend.store)
        direct = try ConversationIdentifier("direct")
        hpke = try ConversationIdentifier("hpke")
        for (conversation, algorithm) in [(direct, KeyAlgorithm.dir), (hpke, .hpke7)] {
            _ = try backend.store.provision(
                conversation, algorithm: algorithm, members: (staying + [leaves]).map(\.thumbprint), now: Backend.start)
        }
        try deliver()
    }

    func file(_ sealer: Int) -> String { backend.root + "/sealed-\(sealer)" }

    /// What a sealer wrote, in whole lines.
    func lines(_ sealer: Int) throws -> [Substring] {
        try String(contentsOfFile: file(sealer), encoding: .utf8).split(separator: "\n")
    }

    func perform() throws {
        var bodies: [@Sendable () throws -> Void] = (0..<Self.sealers).map { sealer in { try self.seal(sealer) } }
        bodies.append { try self.change() }
        try Threads.run(bodies.map { body in { do { try body() } catch { self.pace.end(); throw error } } })
        try leases.withLock { try $0.read(backend.store.store) }
    }

    // MARK: The sealers

    private func seal(_ sealer: Int) throws {
        var worker = try WorkerProcess(store: backend.directory)
        for batch in 0..<Self.batches {
            // Not far ahead of the changes, so that there are some in every part of the run.
            try pace.wait(for: "ratchet", min(Self.ratchets, batch - 1))
            let (first, end) = (batch * sealsEach / Self.batches, (batch + 1) * sealsEach / Self.batches)
            if Self.kills[sealer] == batch {
                try worker.send(command(sealer, first, end))
                try killAfterSomeSeals(worker)
                worker = try WorkerProcess(store: backend.directory)
                try worker.ask(command(sealer, try restart(sealer), end))
            } else {
                try worker.ask(command(sealer, first, end))
            }
            try leases.withLock { try $0.read(backend.store.store) }
            pace.step("batch")
        }
        try worker.finish()
    }

    private func command(_ sealer: Int, _ first: Int, _ end: Int) -> String {
        "run \(Backend.start) \(first) \(end - first) \(file(sealer)) \(direct) \(hpke) \(Self.hpkeEvery)"
    }

    private func killAfterSomeSeals(_ worker: WorkerProcess) throws {
        struct Enough: Error {}
        do {
            try worker.answer { line in if line.hasPrefix("sealed") { throw Enough() } }
            throw WorkerFailure("a sealer ended its batch before it could be killed")
        } catch is Enough {
            worker.kill()
            killed.add(1, ordering: .relaxed)
        }
    }

    /// Cuts the line that the killed sealer was at, and returns the number of the seal it did not get to.
    private func restart(_ sealer: Int) throws -> Int {
        let text = try String(contentsOfFile: file(sealer), encoding: .utf8)
        let whole = text.prefix(through: text.lastIndex(of: "\n") ?? text.startIndex)
        try Data(whole.utf8).write(to: URL(fileURLWithPath: file(sealer)))
        let last = try lines(sealer).compactMap(SealedLine.init).last { $0.name.hasPrefix("d") }
        guard let last, let number = Int(last.name.dropFirst()) else { throw WorkerFailure("it wrote nothing") }
        return number + 1
    }

    // MARK: The changes

    private func change() throws {
        let worker = try WorkerProcess(store: backend.directory)
        for number in 0..<Self.ratchets {
            // One ratchet for each share of all batches that were done.
            try pace.wait(for: "batch", number * (Self.batches - 1) * Self.sealers / Self.ratchets / 2)
            if Self.rekeys.contains(number) { try rekey(worker, acknowledging: number == Self.rekeys[0]) }
            if Self.removal == number { try remove(worker) }
            for conversation in [direct] + (number.isMultiple(of: 4) ? [hpke] : []) {
                let old = try active(conversation)
                try leases.withLock { try $0.read(backend.store.store) }
                try retire(conversation, "the ratchet from \(old)", at: worker.ask("ratchet \(Backend.start) \(conversation)")) {
                    $0 == old
                }
            }
            try deliver()
            pace.step("ratchet")
        }
        try worker.finish()
    }

    /// The first is promoted by the last acknowledgement, which comes from this process; the second by the worker.
    private func rekey(_ worker: WorkerProcess, acknowledging: Bool) throws {
        let old = try active(direct)
        try worker.ask("rekey \(Backend.start) \(direct)")
        try deliver(acknowledging: acknowledging)
        var answer = ["returned \(Self.time)"]
        if !acknowledging { answer = try worker.ask("promote \(Backend.start) \(direct)") }
        try retire(direct, "the promotion after \(old)", at: answer) { $0.handle == old.handle }
        try deliver()
    }

    private func remove(_ worker: WorkerProcess) throws {
        let old = try (direct: active(direct), hpke: active(hpke))
        let answer = try worker.ask("remove \(Backend.start) \(leaves.thumbprint)")
        try retire(direct, "the removal after \(old.direct)", at: answer) { $0.handle == old.direct.handle }
        try retire(hpke, "the removal after \(old.hpke)", at: answer) { $0.handle == old.hpke.handle }
        pace.step("removal")
    }

    private func retire(
        _ conversation: ConversationIdentifier, _ what: String, at answer: [String],
        covers: @escaping @Sendable (KeyIdentifier) -> Bool
    ) throws {
        guard let word = answer.last?.split(separator: " ").last, let returned = Int64(word) else {
            throw WorkerFailure("it did not say when \(what) returned")
        }
        retirements.withLock {
            $0.append(Retirement(returned: returned, what: what, conversation: conversation.string, covers: covers))
        }
    }

    private func deliver(acknowledging: Bool = true) throws {
        for phone in staying + [leaves] where try backend.store.devices().contains(where: { $0.thumbprint == phone.thumbprint }) {
            try phone.acceptBundles(from: backend.store, acknowledging: acknowledging)
        }
    }

    private func active(_ conversation: ConversationIdentifier) throws -> KeyIdentifier {
        guard let kid = try backend.store.conversation(conversation).active else { throw WorkerFailure("nothing is active") }
        return kid
    }

    /// Monotonic time in nanoseconds, as the workers tell it.
    private static var time: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
