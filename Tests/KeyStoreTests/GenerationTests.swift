import EnvelopeFormat
import Glibc
import TestSupport
import Testing

@testable import KeyStore

@Suite struct GenerationTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
    }

    @Test func anotherProcessSeesAChangeBeforeItReturned() async throws {
        let before = sealer.generation.read()
        #expect(before.isSettled)
        let directory = scene.directory
        await #expect(processExitsWith: .success) { [directory = directory as String] in
            let other = try SealerStore(try Store.open(directory: directory))
            _ = try other.ratchet(try ConversationIdentifier("chat-1"), now: 1_800_000_100)
        }
        let after = sealer.generation.read()
        #expect(after.isSettled && after != before)
        #expect(try sealer.sealingState(chat, now: scene.now).kid.epoch == 1)
    }

    /// A process may open stores as often as it likes, though it has only so many mappings.
    @Test func aStoreThatIsGoneLeavesNothingMapped() throws {
        let scene = try Scene(.sealer)
        func mappings() throws -> Int {
            try KernelFile.text("/proc/self/maps").split(separator: "\n").count { $0.contains(scene.directory) }
        }
        let before = try mappings()
        var other: Store? = try Store.open(directory: scene.directory)
        #expect(try other?.lockState == .unlocked)
        #expect(try mappings() > before)
        other = nil
        #expect(try mappings() == before)
    }

    @Test func readingAndLeasingChangeNothing() throws {
        let state = try sealer.sealingState(chat, now: scene.now)
        _ = try sealer.leaseSeals(state.kid, of: chat, count: 64, now: scene.now)
        _ = try sealer.conversations()
        #expect(sealer.generation.read() == state.generation)
    }

    @Test func everyChangeOfKeysOrLockStateCountsUp() throws {
        let phone = Phone()
        let changes: [(String, () throws -> Void)] = [
            ("ratchet", { _ = try sealer.ratchet(chat, now: scene.now) }),
            ("suspend", { _ = try sealer.suspend(chat, now: scene.now) }),
            ("resume", { _ = try sealer.resume(chat, now: scene.now) }),
            ("revoke", { _ = try sealer.revoke(chat, now: scene.now) }),
            (
                "rekey and promote",
                {
                    _ = try sealer.rekey(chat, now: scene.now)
                    _ = try sealer.promote(chat, force: true, now: scene.now)
                }
            ),
            (
                "enroll and add",
                {
                    _ = try sealer.enroll(try phone.document(), now: scene.now)
                    _ = try sealer.addMember(phone.thumbprint, to: chat, now: scene.now)
                }
            ),
            ("remove", { try sealer.removeDevice(phone.thumbprint, now: scene.now) }),
            ("lock", { try scene.store.lock(restart: false, now: scene.now) }),
            ("unlock", { try scene.store.unlock(nil, now: scene.now) }),
        ]
        for (name, change) in changes {
            let before = sealer.generation.read()
            try change()
            #expect(sealer.generation.read() != before, "\(name)")
            #expect(sealer.generation.read().isSettled, "\(name)")
        }
    }

    @Test func aWriterKilledBetweenCommitAndBumpIsSettledByTheNextReader() async throws {
        let before = sealer.generation.read()
        let directory = scene.directory
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
            let store = try Store.open(directory: directory)
            try store.storage.write { (rows) throws(KeyStoreError) in
                let next = try rows.generation() + 1
                try rows.setGeneration(next)
                store.generation.begin(UInt64(next))
            }
            kill(getpid(), SIGKILL)
        }
        #expect(!sealer.generation.read().isSettled)
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(state.generation.isSettled && state.generation != before)
        #expect(sealer.generation.read() == state.generation)
    }

    @Test func aWriterKilledBeforeItsCommitChangesNothingAndIsSettled() async throws {
        let before = try sealer.sealingState(chat, now: scene.now)
        let directory = scene.directory
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
            let sealer = try SealerStore(try Store.open(directory: directory))
            try sealer.write(at: 1_800_000_100) { (life) throws(KeyStoreError) in
                var conversation = try life.conversation(try! .init("chat-1"))
                _ = try life.ratchet(&conversation)
                sealer.generation.begin(1_000_000)
                kill(getpid(), SIGKILL)
            }
        }
        #expect(!sealer.generation.read().isSettled)
        let after = try sealer.sealingState(chat, now: scene.now)
        #expect(after.kid == before.kid && after.generation.isSettled && after.generation != before.generation)
    }

    /// The handler for a file that is cut is not to keep alive whom somebody else ends.
    @Test func aSignalFromOutsideStillEndsTheProcess() async throws {
        let directory = scene.directory
        await #expect(processExitsWith: .signal(SIGBUS)) { [directory = directory as String] in
            let store = try Store.open(directory: directory)
            _ = store.generation.read()
            raise(SIGBUS)
        }
    }

    @Test(arguments: [0, 8, 100]) func aFileThatIsCutReadsAsUnsettledAndIsMadeAnew(length: Int) throws {
        let before = sealer.generation.read()
        #expect(truncate(scene.generationFile, off_t(length)) == 0)
        #expect(!sealer.generation.read().isSettled || length >= 16)
        let state = try sealer.sealingState(chat, now: scene.now)
        _ = try sealer.ratchet(chat, now: scene.now)
        let after = sealer.generation.read()
        #expect(after.isSettled && after != before && after != state.generation)
        #expect(try scene.reopened().generation.read() == after)
    }

    @Test func aFileThatIsGoneIsMadeAnewAndSeenByThoseWhoMappedTheOldOne() throws {
        let other = try scene.reopened()
        let before = other.generation.read()
        #expect(unlink(scene.generationFile) == 0)
        _ = try sealer.ratchet(chat, now: scene.now)
        #expect(sealer.generation.read().isSettled)
        #expect(other.generation.read() != before && !other.generation.read().isSettled)
        #expect(try SealerStore(other).sealingState(chat, now: scene.now).kid.epoch == 1)
        #expect(other.generation.read() == sealer.generation.read())
    }

    /// In the file, in the database, or in both: nothing is cached under it, it is named, and the next writer replaces it.
    @Test(
        arguments: [.max, 1 << 63, (1 << 63) - 2, 1 << 53, (1 << 53) - 1] as [UInt64],
        [(true, false), (false, true), (true, true)])
    func aNumberThatNoStoreComesToIsNamedAndReplaced(number: UInt64, places: (file: Bool, database: Bool)) throws {
        let before = sealer.generation.read()
        if places.file {
            let file = open(scene.generationFile, O_RDWR)
            let words = withUnsafeBytes(of: (number, number)) { Array($0) }
            #expect(pwrite(file, words, words.count, 0) == words.count)
            close(file)
        }
        if places.database {
            try RawDatabase(scene.database).run("UPDATE housekeeping SET generation = \(Int64(bitPattern: number))")
        }
        if number >= GenerationNumber.bound {
            #expect(!places.file || !sealer.generation.read().isSettled)
            let error = failure { _ = try scene.store.status(verify: true, now: scene.now) }
            #expect(error?.kind == .damaged && error?.subject == (places.file ? scene.generationFile : "table housekeeping"))
            #expect(error?.hint?.hasPrefix("keyctl unlock,") == true)
        }
        let other = try scene.reopened()
        try scene.store.unlock(nil, now: scene.now)
        _ = try scene.store.status(verify: true, now: scene.now)
        for epoch in 1...3 {
            #expect(try sealer.ratchet(chat, now: scene.now).epoch == epoch)
            let after = sealer.generation.read()
            #expect(after.isSettled && after.completed > before.completed && after.completed < 1 << 50)
            #expect(try other.generation.read() == after && scene.reopened().generation.read() == after)
        }
        _ = try scene.store.status(verify: true, now: scene.now)
    }

    /// A file whose page has no room on the disk, as a hole or where pages are copied on write, is lost at the first store.
    @Test(.enabled(if: DatabaseFaultTests.canMount, "needs the right to mount"))
    func aPageWithoutRoomCommitsNothingAndIsNotKept() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        #expect(mount("tmpfs", root, "tmpfs", 0, "size=1m,mode=700") == 0)
        defer { umount2(root, Int32(MNT_DETACH)) }
        let configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
        let sealer = try SealerStore(try Store.create(directory: root + "/store", configuration: configuration, now: 1))
        _ = try sealer.provision(chat, algorithm: .dir, members: [], now: scene.now)
        let file = root + "/store/" + StoreConfiguration.standardAccessGroup + "/generation"
        #expect(truncate(file, 0) == 0 && truncate(file, off_t(MappedPage.byteCount)) == 0)
        let before = try sealer.conversation(chat)
        let filler = open(root + "/filler", O_CREAT | O_WRONLY, 0o600)
        var size: off_t = 4_096
        while posix_fallocate(filler, 0, size) == 0 { size += 4_096 }
        close(filler)
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .full)
        #expect(unlink(root + "/filler") == 0)
        #expect(try sealer.conversation(chat) == before)
        let other = try SealerStore(try Store.open(directory: root + "/store"))
        #expect(try other.ratchet(chat, now: scene.now).epoch == 1)
        #expect(sealer.generation.read() == other.generation.read() && other.generation.read().isSettled)
        #expect(try sealer.ratchet(chat, now: scene.now).epoch == 2)
        #expect(sealer.generation.read() == other.generation.read())
    }
}
