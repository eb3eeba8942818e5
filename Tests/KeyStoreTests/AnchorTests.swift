import EnvelopeFormat
import FoundationEssentials
import Glibc
import Testing

@testable import KeyStore

/// A whole older copy of a store, put back, is found by its anchor.
@Suite struct AnchorTests {
    /// A store with an anchor and a conversation, whose directory is copied and put back.
    private final class Anchored {
        let root: String
        let anchor: String
        let directory: String
        let chat: ConversationIdentifier
        let now = Scene.start
        private(set) var store: Store
        private(set) var sealer: SealerStore

        init(isAnchored: Bool = true) throws {
            root = try Scene.temporaryDirectory()
            directory = root + "/store"
            anchor = root + "/volume/anchor"
            chat = try ConversationIdentifier("chat")
            guard mkdir(root + "/volume", 0o700) == 0 else { throw KeyStoreError(errno: errno, root, "mkdir") }
            var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
            if isAnchored { configuration.anchor = anchor }
            store = try Store.create(directory: directory, configuration: configuration, now: now)
            sealer = try SealerStore(store)
            let phone = Phone()
            _ = try sealer.enroll(try phone.document(), now: now)
            _ = try sealer.provision(chat, algorithm: .dir, members: [phone.thumbprint], now: now)
        }

        deinit { Scene.remove(root) }

        func copy(_ path: String, to other: String) throws {
            Scene.remove(other)
            try FileManager.default.copyItem(atPath: path, toPath: other)
        }

        /// Puts a copy of the store in its place, as somebody with the files can.
        func putBack(_ copy: String) throws {
            try self.copy(copy, to: directory)
            store = try Store.open(directory: directory)
            sealer = try SealerStore(store)
        }

        func content() throws -> Data { try Data(contentsOf: URL(filePath: anchor)) }
        func put(_ content: Data) throws {
            try content.write(to: URL(filePath: anchor))
            guard chmod(anchor, 0o600) == 0 else { throw KeyStoreError(errno: errno, anchor, "chmod") }
        }
        func ratchet() throws { _ = try sealer.ratchet(chat, now: now) }
        func state() throws -> AnchorReport.State? { try store.status(now: now).anchor?.state }
        func lease() throws { _ = try sealer.leaseSeals(try sealer.sealingState(chat, now: now).kid, of: chat, count: 1, now: now) }
    }

    private let older = "it is older than its anchor"

    @Test func itIsWrittenWithEveryChangeOfKeys() throws {
        let here = try Anchored()
        var status = stat()
        #expect(lstat(here.anchor, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(try here.state() == .holds)
        let before = try here.content()
        try here.lease()
        #expect(try here.content() == before, "a lease changes no key")
        try here.ratchet()
        let after = try here.content()
        #expect(try after != before && here.state() == .holds)
        _ = try here.sealer.enroll(try Phone().document(), now: here.now)
        #expect(try here.content() != after && here.state() == .holds, "an enrollment secret is a key")
        #expect(try here.store.status(verify: true, anchor: here.anchor, now: here.now).verifiedRows ?? 0 > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: here.root + "/volume") == ["anchor"])
    }

    @Test func anOlderCopyIsFoundByWritersAndByStatus() throws {
        let here = try Anchored()
        try here.copy(here.directory, to: here.root + "/copy")
        try here.ratchet()
        try here.putBack(here.root + "/copy")
        for body: () throws -> Void in [
            here.ratchet, here.lease, { _ = try here.state() },
            { _ = try here.store.status(verify: true, now: here.now) },
            { try here.store.setAnchor(here.root + "/volume/other", now: here.now) },
        ] {
            let error = failure(body)
            #expect(error?.kind == .damaged && error?.reason.hasPrefix(older) == true, "\(String(describing: error))")
            #expect(error?.hint == "if it was put back on purpose: keyctl config set anchor none")
        }
        // What is asked of a person is done, and locking works whatever there is.
        try here.store.lock(restart: false, now: here.now)
        try here.store.unlock(nil, now: here.now)
        try here.store.setAnchor(nil, now: here.now)
        try here.ratchet()
        #expect(try here.state() == nil)
        let error = failure { _ = try here.store.status(verify: true, anchor: here.anchor, now: here.now) }
        #expect(error?.kind == .damaged && error?.reason.hasSuffix("it knows of no anchor") == true)
    }

    /// A writer that commits and writes to the anchor while a state from before is read.
    @Test func aWriterBesideAReaderIsNoAlarm() throws {
        let here = try Anchored()
        let other = try SealerStore(Store.open(directory: here.directory))
        for given in [nil, here.anchor] {
            var looks = 0
            let report = try here.store.readBesideAnchor { (transaction, sight) throws(KeyStoreError) in
                // The state is that of now.
                _ = try transaction.storeRecord()
                looks += 1
                for _ in 0..<looks { _ = try other.ratchet(here.chat, now: here.now) }
                return try here.store.anchorReport(transaction, given: given, isVerifying: true, sight)
            }
            #expect(report?.state == .holds && looks == 2)
        }
        #expect(try here.state() == .holds)
    }

    /// The alarm is given though the anchor goes on while it is looked at.
    @Test func anOlderCopyIsFoundBesideAWriter() throws {
        let here = try Anchored()
        try here.copy(here.directory, to: here.root + "/copy")
        var contents: [Data] = []
        for _ in 0..<6 {
            try here.ratchet()
            contents.append(try here.content())
        }
        try here.putBack(here.root + "/copy")
        try here.put(contents.removeFirst())
        let error = failure {
            _ = try here.store.readBesideAnchor { (transaction, sight) throws(KeyStoreError) in
                _ = try transaction.storeRecord()
                do { try here.put(contents.removeFirst()) } catch { throw KeyStoreError(.unavailable, here.anchor, "put") }
                return try here.store.anchorReport(transaction, given: nil, isVerifying: true, sight)
            }
        }
        #expect(error?.kind == .damaged && error?.reason.hasPrefix(older) == true)
    }

    @Test func aCopyThatWentOnPastItsAnchorIsFound() throws {
        let here = try Anchored()
        try here.copy(here.directory, to: here.root + "/copy")
        let old = try here.content()
        try here.ratchet()
        let kept = try here.content()
        try here.putBack(here.root + "/copy")
        try here.put(old)
        for _ in 0..<3 { try here.ratchet() }
        #expect(try here.state() == .holds)
        try here.put(kept)
        #expect(failure(here.ratchet)?.kind == .damaged)
        #expect(failure { _ = try here.state() }?.reason.contains("not the same past") == true)
    }

    @Test func aCopyFromBeforeItHadAnAnchorIsFoundByTheFile() throws {
        let here = try Anchored(isAnchored: false)
        try here.copy(here.directory, to: here.root + "/copy")
        try here.store.setAnchor(here.anchor, now: here.now)
        #expect(try here.state() == .holds)
        try here.putBack(here.root + "/copy")
        try here.ratchet()
        #expect(try here.store.status(verify: true, now: here.now).anchor == nil)
        let error = failure { _ = try here.store.status(verify: true, anchor: here.anchor, now: here.now) }
        #expect(error?.kind == .damaged && error?.reason.hasPrefix(older) == true)
    }

    @Test func aCopyFromBeforeTheAnchorWasMadeAnewIsFound() throws {
        let here = try Anchored()
        try here.copy(here.directory, to: here.root + "/copy")
        #expect(unlink(here.anchor) == 0)
        try here.store.setAnchor(here.anchor, now: here.now)
        try here.putBack(here.root + "/copy")
        #expect(failure(here.ratchet)?.kind == .damaged)
        #expect(failure(here.lease)?.kind == .damaged)
        #expect(failure { _ = try here.state() }?.subject == here.anchor)
    }

    /// A writer that is killed after its commit leaves the anchor one behind; the next one brings it up to date.
    @Test func anAnchorThatIsOneBehindIsBroughtUpToDate() throws {
        let here = try Anchored()
        let old = try here.content()
        try here.ratchet()
        try here.put(old)
        #expect(try here.state() == .behind)
        _ = try here.store.status(verify: true, anchor: here.anchor, now: here.now)
        try here.lease()
        try here.ratchet()
        #expect(try here.state() == .holds)
        try here.put(old)
        #expect(failure { _ = try here.state() }?.kind == .damaged, "two behind is no killed writer's")
    }

    @Test func withoutItNothingThatChangesKeysIsDone() throws {
        let here = try Anchored()
        let content = try here.content()
        let epoch = try here.sealer.sealingState(here.chat, now: here.now).kid.epoch
        #expect(unlink(here.anchor) == 0)
        let error = failure(here.ratchet)
        #expect(error?.kind == .unavailable && error?.subject == here.anchor)
        #expect(error?.hint?.contains("keyctl config set anchor") == true)
        #expect(try here.sealer.sealingState(here.chat, now: here.now).kid.epoch == epoch)
        try here.lease()
        #expect(try here.state() == .unreadable("the anchor is not there"))
        #expect(failure { _ = try here.store.status(verify: true, now: here.now) }?.kind == .unavailable)
        try here.store.lock(restart: false, now: here.now)
        try here.store.unlock(nil, now: here.now)
        // It comes back as it was, and all is well.
        try here.put(content)
        try here.ratchet()
        #expect(try here.state() == .holds)
    }

    @Test func aLostOneIsMadeAnewBySettingIt() throws {
        let here = try Anchored()
        #expect(unlink(here.anchor) == 0)
        try here.store.setAnchor(here.anchor, now: here.now)
        try here.ratchet()
        #expect(try here.state() == .holds)
        try here.store.setAnchor(here.anchor, now: here.now)
        #expect(try here.state() == .holds)
        try here.store.setAnchor(here.root + "/volume/other", now: here.now)
        #expect(try here.store.anchorPath() == here.root + "/volume/other" && here.state() == .holds)
    }

    /// A file as it was begun under a key that was never committed.
    private func begun(for store: String) throws -> Data {
        let key = try GuardedBytes(randomCount: 32)
        let mark = AnchorMark(store: store, number: AnchorMark.begunNumber, value: Array(repeating: 8, count: 32))
        return Data(try mark.content(key))
    }

    /// What a setting left that was killed before its commit.
    @Test func oneThatWasBegunIsNoAlarmAndTakenBySettingItAgain() throws {
        let here = try Anchored(isAnchored: false)
        try here.put(begun(for: here.store.identifier))
        try here.ratchet()
        let given = failure { _ = try here.store.status(verify: true, anchor: here.anchor, now: here.now) }
        #expect(given?.kind == .unavailable && given?.reason == "the anchor was begun, and came to nothing")
        try here.store.setAnchor(here.anchor, now: here.now)
        try here.ratchet()
        #expect(try here.state() == .holds)
        #expect(try FileManager.default.contentsOfDirectory(atPath: here.root + "/volume") == ["anchor"])
        // In the place of its own that was lost.
        try here.put(begun(for: here.store.identifier))
        #expect(try here.state() == .unreadable("the anchor was begun, and came to nothing"))
        #expect(failure(here.ratchet)?.hint?.contains("if it is lost: keyctl config set anchor \(here.anchor)") == true)
        try here.store.setAnchor(here.anchor, now: here.now)
        #expect(try here.state() == .holds)
    }

    @Test func oneThatWasBegunForAnotherStoreStays() throws {
        let here = try Anchored(isAnchored: false)
        let content = try begun(for: String(repeating: "a", count: 32))
        try here.put(content)
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: here.root + "/new-key"))
        configuration.anchor = here.anchor
        for body: () throws -> Void in [
            { try here.store.setAnchor(here.anchor, now: here.now) },
            { _ = try Store.create(directory: here.root + "/new", configuration: configuration, now: here.now) },
        ] {
            let error = failure(body)
            #expect(error?.kind == .alreadyExists && error?.subject == here.anchor)
            #expect(error?.reason == "an anchor was begun there for store \(String(repeating: "a", count: 32))")
            #expect(error?.hint == "if that one did not come to be, as after a kill: rm \(here.anchor), and repeat")
        }
        #expect(try here.content() == content && access(here.root + "/new", F_OK) != 0)
        // A store that is there is what is told of first: the file may be its own.
        configuration.anchor = here.anchor
        let there = failure { _ = try Store.create(directory: here.directory, configuration: configuration, now: here.now) }
        #expect(there?.kind == .alreadyExists && there?.subject != here.anchor)
    }

    /// The file is there before the commit, and gone when it comes to nothing.
    @Test func aSettingThatIsNotCommittedLeavesNoFile() throws {
        let here = try Anchored(isAnchored: false)
        let seen = try #require(
            failure {
                try here.store.write(at: here.now) { (transaction) throws(KeyStoreError) in
                    transaction.leaveAnchor()
                    let founding = try AnchorFounding(try AnchorFile(here.anchor, here.store.rules), in: transaction)
                    try founding.begin()
                    guard access(here.anchor, F_OK) == 0 else { throw KeyStoreError(.notFound, here.anchor, "it is not there") }
                    throw KeyStoreError(.full, here.directory, "the test")
                }
            })
        #expect(seen.kind == .full && access(here.anchor, F_OK) != 0)
        try here.store.setAnchor(here.anchor, now: here.now)
        #expect(try here.state() == .holds)
    }

    @Test func aStoreThatCannotBePlacedLeavesNoAnchor() throws {
        let here = try Anchored(isAnchored: false)
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: here.root + "/new-key"))
        configuration.anchor = here.anchor
        let made = here.root + "/new"
        var founding = try StoreFounding(try AbsolutePath(made), configuration, now: here.now)
        // Its place is taken when it is about to be put there.
        founding.contents = { (_) throws(KeyStoreError) in
            guard mkdir(made, 0o700) == 0, mkdir(made + "/something", 0o700) == 0 else {
                throw KeyStoreError(errno: errno, made, "mkdir")
            }
        }
        #expect(failure { _ = try founding.run() } != nil)
        #expect(access(here.anchor, F_OK) != 0)
    }

    @Test func aFileThatIsNotItsOwnIsNeverReplaced() throws {
        let here = try Anchored()
        let other = here.root + "/volume/notes"
        try Data("notes".utf8).write(to: URL(filePath: other))
        #expect(failure { try here.store.setAnchor(other, now: here.now) }?.kind == .alreadyExists)
        #expect(try Data(contentsOf: URL(filePath: other)) == Data("notes".utf8))
        #expect(failure { try here.store.setAnchor(here.directory + "/anchor", now: here.now) }?.kind == .badInput)
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: here.root + "/key"))
        configuration.anchor = other
        let made = here.root + "/made"
        #expect(failure { _ = try Store.create(directory: made, configuration: configuration, now: 1) }?.kind == .alreadyExists)
        #expect(access(made, F_OK) != 0)
        try here.put(Data("notes".utf8))
        #expect(failure(here.ratchet)?.kind == .badInput)
        #expect(try here.content() == Data("notes".utf8))
    }

    @Test func anEditedOneIsFound() throws {
        let here = try Anchored()
        let content = String(decoding: try here.content(), as: UTF8.self)
        let number = try #require(content.split(separator: "\n").first { $0.hasPrefix("number ") })
        try here.put(Data(content.replacing(number, with: "number 1").utf8))
        #expect(failure(here.ratchet)?.kind == .damaged)
        try here.put(Data((content + "\n").utf8))
        #expect(failure(here.ratchet)?.kind == .badInput)
        let other = try Anchored()
        try here.put(try other.content())
        #expect(failure(here.ratchet)?.reason == "it is not an anchor of this store")
        try here.put(Data(content.utf8))
        try here.ratchet()
    }

    @Test func itsModeIsItsOwnersAlone() throws {
        let here = try Anchored()
        #expect(chmod(here.anchor, 0o644) == 0)
        #expect(failure(here.ratchet)?.kind == .permission)
        #expect(chmod(here.anchor, 0o600) == 0)
        try here.ratchet()
        #expect(rename(here.anchor, here.anchor + ".real") == 0 && symlink(here.anchor + ".real", here.anchor) == 0)
        #expect(failure(here.ratchet)?.reason == "it is a symbolic link")
        #expect(unlink(here.anchor) == 0 && rename(here.anchor + ".real", here.anchor) == 0)
        #expect(chmod(here.root + "/volume", 0o777) == 0)
        #expect(failure(here.ratchet)?.kind == .permission)
        #expect(chmod(here.root + "/volume", 0o700) == 0)
        try here.ratchet()
    }

    @Test(.enabled(if: geteuid() == 0, "needs the right to give files to a group"))
    func ofAGroupsStoreItIsTheGroups() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let group: gid_t = 65_534
        #expect(mkdir(root + "/volume", 0o700) == 0 && chown(root + "/volume", 0, group) == 0)
        #expect(chmod(root + "/volume", 0o2770) == 0)
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
        configuration.unixGroup = "nogroup"
        configuration.anchor = root + "/volume/anchor"
        let store = try Store.create(directory: root + "/store", configuration: configuration, now: 1)
        let sealer = try SealerStore(store)
        _ = try sealer.provision(try ConversationIdentifier("chat"), algorithm: .dir, members: [], now: 1)
        var status = stat()
        #expect(lstat(root + "/volume/anchor", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o660 && status.st_gid == group)
        #expect(try store.status(now: 1).anchor?.state == .holds)
    }

    /// Every member who changes keys writes it.
    @Test(.enabled(if: geteuid() == 0, "needs the right to give files to a group"), arguments: [mode_t(0o755), 0o700, 0o2750])
    func aDirectoryThatTheGroupCannotWriteIsRefused(mode: mode_t) throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        #expect(mkdir(root + "/volume", 0o700) == 0 && chown(root + "/volume", 0, mode == 0o755 ? 0 : 65_534) == 0)
        #expect(chmod(root + "/volume", mode) == 0)
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
        configuration.unixGroup = "nogroup"
        let expected = KeyStoreError(
            .permission, root + "/volume", "members of group 65534 could not write the anchor in it",
            hint: "name a file in a directory of that group, mode 2770")
        configuration.anchor = root + "/volume/anchor"
        #expect(failure { _ = try Store.create(directory: root + "/store", configuration: configuration, now: 1) } == expected)
        #expect(access(root + "/store", F_OK) != 0)
        configuration.anchor = nil
        let store = try Store.create(directory: root + "/store", configuration: configuration, now: 1)
        #expect(failure { try store.setAnchor(root + "/volume/anchor", now: 1) } == expected)
    }

    @Test func aRehearsalWritesNone() throws {
        let here = try Anchored()
        let before = try here.content()
        try here.store.rehearse { store in
            _ = try SealerStore(store).ratchet(here.chat, now: here.now)
            try store.setAnchor(here.root + "/volume/other", now: here.now)
        }
        #expect(try here.content() == before && here.state() == .holds)
        #expect(try FileManager.default.contentsOfDirectory(atPath: here.root + "/volume") == ["anchor"])
    }

    @Test func writersAtOnceLeaveItAtTheLast() async throws {
        let here = try Anchored()
        let directory = here.directory
        let (chat, now) = (here.chat, here.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let sealer = try SealerStore(try Store.open(directory: directory))
                group.addTask { for _ in 0..<10 { _ = try sealer.ratchet(chat, now: now) } }
            }
            try await group.waitForAll()
        }
        #expect(try here.state() == .holds)
    }
}
