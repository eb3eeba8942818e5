import EnvelopeFormat
import Foundation
import KeyStore
import SealTestSupport
import Testing

@testable import Sealer

/// Whatever fails, there is no payload, and nothing of the request in what is said about it.
@Suite struct FailClosedTests {
    /// Texts of the request, none of which may be found anywhere, not even 8 bytes of one.
    private static let texts = [
        "Quarterly figures are in", "Wanda Kowalczyk wrote", "the merger is off", "https://images.example/secret-picture",
        "kitchen-thread-77", "orders-category-5", "ledger entry 4711-0815", "idem-key-9f8e7d6c",
    ]
    private static let json = #"""
        {"conversation":"chat","title":"Wanda Kowalczyk wrote","subtitle":"the merger is off","body":"Quarterly figures are in","thread":"kitchen-thread-77","category":"orders-category-5","image":{"url":"https://images.example/secret-picture"},"data":{"ledger entry 4711-0815":"ledger entry 4711-0815"},"idempotency_key":"idem-key-9f8e7d6c"}
        """#

    let backend: Backend
    let chat: ConversationIdentifier
    let message: SealRequest

    init() throws {
        backend = try Backend()
        chat = try backend.provision("chat", .dir).conversation
        message = try request(Self.json)
    }

    private static func leak(in text: String) -> String? {
        for secret in texts {
            let bytes = Array(secret.utf8)
            for start in 0...(bytes.count - 8) {
                let window = String(decoding: bytes[start..<start + 8], as: UTF8.self)
                if text.contains(window) { return window }
            }
        }
        return nil
    }

    /// Seals with a sealer that has nothing cached and with one that has; both must fail in this way.
    private func expectFailure(
        of sealers: [PushSealer], _ kind: KeyStoreError.Kind?, _ message: SealRequest? = nil, isSeenLater: Bool = false,
        now: Int64 = Backend.start, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (index, sealer) in sealers.enumerated() {
            do {
                // One with keys at hand sees that the store is gone a moment later.
                let end = ContinuousClock.now + .seconds(isSeenLater ? 5 : 0)
                var count = 0
                repeat { count += try sealer.seal(message ?? self.message, now: now).count } while ContinuousClock.now < end
                Issue.record("sealer \(index) sealed \(count)", sourceLocation: sourceLocation)
            } catch {
                if let kind {
                    guard case .store(let cause) = error else {
                        Issue.record("sealer \(index): \(error)", sourceLocation: sourceLocation)
                        continue
                    }
                    #expect(cause.kind == kind, "sealer \(index): \(error)", sourceLocation: sourceLocation)
                }
                for text in ["\(error)", String(reflecting: error), error.localizedDescription] {
                    #expect(Self.leak(in: text) == nil, sourceLocation: sourceLocation)
                }
            }
        }
    }

    /// One that asks the store for every seal, one that has key and lease at hand, and one that never sealed.
    private func sealers() throws -> [PushSealer] {
        let sealers = [
            try backend.sealer(), try backend.sealer(leasing: .doubling, over: try backend.reopened()),
            try backend.sealer(over: try backend.reopened()),
        ]
        for sealer in sealers.dropLast() { _ = try sealer.seal(message, now: Backend.start) }
        return sealers
    }

    @Test func theStoreIsGone() throws {
        let sealers = try sealers()
        try FileManager.default.removeItem(atPath: backend.directory)
        expectFailure(of: [sealers[0], sealers[2]], .unavailable)
        expectFailure(of: [sealers[1]], .unavailable, isSeenLater: true)
    }

    @Test func anotherStoreIsInItsPlace() throws {
        let sealers = try sealers()
        let other = try Backend()
        try other.provision("chat", .dir)
        try FileManager.default.removeItem(atPath: backend.directory)
        try FileManager.default.copyItem(atPath: other.directory, toPath: backend.directory)
        expectFailure(of: [sealers[0], sealers[2]], .permission)
        expectFailure(of: [sealers[1]], .permission, isSeenLater: true)
    }

    @Test func theKeyFileIsGone() throws {
        let sealers = try sealers()
        try FileManager.default.removeItem(atPath: backend.root + "/key")
        expectFailure(of: [sealers[0], sealers[2]], .unavailable)
    }

    @Test func theDatabaseIsDamaged() throws {
        let sealers = try sealers()
        for path in backend.databaseFiles {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let count = try file.seekToEnd()
            for offset in stride(from: UInt64(0), to: count, by: 64) {
                try file.seek(toOffset: offset)
                try file.write(contentsOf: Data([0xA5, 0x5A, 0xA5]))
            }
            try file.close()
        }
        expectFailure(of: [sealers[0], sealers[2]], .damaged)
    }

    @Test func oneByteOfARowIsChanged() throws {
        // The algorithm of the conversation, wherever its row is.
        for path in backend.databaseFiles {
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let name = Array("dirafter-first-unlock-this-device-only".utf8)
            var index = 0
            while index + name.count <= bytes.count {
                if bytes[index..<index + name.count].elementsEqual(name) { bytes[index + 3] = UInt8(ascii: "b") }
                index += 1
            }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }
        expectFailure(of: [try backend.sealer(over: try backend.reopened())], .damaged)
    }

    @Test func thereIsNoKey() throws {
        let sealers = try sealers()
        _ = try backend.store.suspend(chat, now: Backend.start)
        expectFailure(of: sealers, .refused)
        _ = try backend.store.resume(chat, now: Backend.start)
        let member = try backend.store.conversation(chat).members[0].device
        _ = try backend.store.removeMember(member, from: chat, now: Backend.start)
        expectFailure(of: sealers, .refused)
    }

    @Test func nobodyProvisionedIt() throws {
        var message = message
        message.conversation = try ConversationIdentifier("chat-l")
        expectFailure(of: try sealers(), .notFound, message)
        #expect(try backend.store.conversations().map(\.conversation) == [chat])
    }

    @Test func theStoreIsLocked() throws {
        let sealers = try sealers()
        try backend.store.store.lock(restart: false, now: Backend.start)
        expectFailure(of: sealers, .locked)
        try backend.store.store.unlock(nil, now: Backend.start)
        for sealer in sealers { #expect(try sealer.seal(message, now: Backend.start).count == 1) }
    }

    @Test func theRequestItselfIsWrong() throws {
        var tooLong = message
        tooLong.content.title = String(repeating: Self.texts[1], count: 400)
        expectFailure(of: try sealers(), nil, tooLong)
        var noTime = message
        noTime.expires = 1
        expectFailure(of: try sealers(), nil, noTime)
        for member in Self.texts {
            for place in ["title", "image", "data", "expires", "platform", "loc_body", "aps", "placeholder", "conversation"] {
                let error = formatError { _ = try request(#"{"conversation":"chat","\#(place)":["\#(member)"]}"#) }
                #expect(Self.leak(in: try #require(error).description) == nil)
            }
        }
    }

    // MARK: Faults that end a process, or stay with it

    private func expectFailure(
        of worker: WorkerProcess, _ json: String? = nil, mayEnd: Bool = false, saying expected: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            let answer = try worker.ask("seal \(Backend.start) \(json ?? Self.json)")
            Issue.record("it sealed \(answer.count)", sourceLocation: sourceLocation)
        } catch {
            let text = "\(error)"
            if let expected { #expect(text.contains(expected), sourceLocation: sourceLocation) }
            #expect(mayEnd || text != "the worker ended", sourceLocation: sourceLocation)
            #expect(Self.leak(in: text + worker.complaints) == nil, "\(worker.complaints)", sourceLocation: sourceLocation)
        }
    }

    private func worker(doubling: Bool = true) throws -> WorkerProcess {
        try WorkerProcess(store: backend.directory, doubling: doubling)
    }

    /// A kernel filter answers getrandom with EIO: with a lease at hand there is no nonce, without one no lease.
    @Test(arguments: [1, 450]) func thereIsNoRandomness(sealsBefore: Int) throws {
        try backend.provision("pair", .hpke7)
        let worker = try worker()
        try worker.ask("run \(Backend.start) 1 \(sealsBefore) \(backend.root)/sealed chat pair 1000000")
        do { try worker.ask("deny-random") } catch let error as WorkerFailure { try Test.cancel("\(error)") }
        var sealed = 0
        // What is left of the stock of random bytes was drawn before, and lasts for some hundred seals at most.
        while sealed < 400, (try? worker.ask("seal \(Backend.start) \(Self.json)")) != nil { sealed += 1 }
        #expect(sealed < 400)
        expectFailure(of: worker, saying: "the system has no randomness")
        let other = #"{"conversation":"pair","body":"\#(Self.texts[0])"}"#
        // Here it may be OpenSSL that has none. It was seeded when the self-test made keys, and asks the system again in time.
        while sealed < 1_000, (try? worker.ask("seal \(Backend.start) \(other)")) != nil { sealed += 1 }
        #expect(sealed < 1_000)
        expectFailure(of: worker, other)
    }

    /// The file system takes no byte more: a lease cannot be committed, and nothing is sealed under it.
    @Test func theDiskIsFull() throws {
        let worker = try worker(doubling: false)
        try worker.ask("seal \(Backend.start) \(Self.json)")
        try worker.ask("limit-files 0")
        expectFailure(of: worker, saying: "SQLite")
        expectFailure(of: worker, saying: "SQLite")
        // Others go on, and nothing was leased to the one that failed.
        _ = try backend.sealer().seal(message, now: Backend.start)
        #expect(try backend.store.conversation(chat).handles.map(\.leasedCount) == [2])
    }

    /// Too little memory for the request: an error or the end of the process, but neither payload nor text.
    @Test(arguments: [0, 1 << 20, 4 << 20, 16 << 20]) func thereIsNoMemory(left: Int) throws {
        let worker = try worker()
        try worker.ask("seal \(Backend.start) \(Self.json)")
        try worker.ask("limit-memory \(left)")
        let text = String(repeating: Self.texts[0] + " ", count: 2_000_000)
        expectFailure(of: worker, #"{"conversation":"chat","body":"\#(text)"}"#, mayEnd: true)
    }
}
