import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Glibc
import Testing

@testable import KeyStore

@Suite struct BackupTests {
    private let cheap: Argon2idParameters

    init() throws { cheap = try Argon2idParameters(passes: 1, memoryMiB: 8) }

    private func secret(_ text: String) throws -> UnlockSecret { .passphrase(try .of(text)) }

    private func restore(
        _ path: String, _ secret: UnlockSecret, to directory: String, in scene: Scene
    ) throws -> (store: Store, restored: RestoredStore) {
        try Store.restore(path, secret: secret, directory: directory, now: scene.now) {
            StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: .keyFile(path: scene.root + "/new-key"))
        }
    }

    private func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    @Test func everyRowComesBackUnderOtherKeys() throws {
        let (scene, sealer, chat, phone) = try Scene.withConversation()
        try scene.store.setDefaults(StoreDefaults(json: Array(#"{"type":"t"}"#.utf8)), now: scene.now)
        let path = scene.root + "/backup"
        let expected = try scene.store.backupContents(to: path + "-2", secret: secret("pass"), now: scene.now)
        let summary = try scene.store.backUp(to: path, secret: secret("pass"), argon2id: cheap, now: scene.now)
        #expect(summary == expected)
        #expect(summary.staysBehindCount == 0 && summary.rows["conversation_secret"] == 1)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(try Store.backupContents(of: path, secret: secret("pass")).rows == summary.rows)
        let (store, restored) = try restore(path, secret("pass"), to: scene.root + "/other", in: scene)
        #expect(restored.contents.rows == summary.rows)
        #expect(store.identifier != scene.store.identifier && store.accessGroup == scene.store.accessGroup)
        #expect(try store.defaults() == scene.store.defaults())
        #expect(try store.status(verify: true, now: scene.now).erasurePending == false)
        let other = try SealerStore(store)
        #expect(try other.idempotencyKey() == sealer.idempotencyKey())
        let (before, after) = (try sealer.conversation(chat), try other.conversation(chat))
        #expect(after.members == before.members && after.active?.epoch == 64)
        #expect(
            try other.pendingBundles(for: phone.thumbprint, now: scene.now).map(\.kid.epoch)
                == sealer.pendingBundles(for: phone.thumbprint, now: scene.now).map { $0.kid.epoch + 64 })
        // Bundle numbers go on, devices are known.
        _ = try other.rekey(chat, now: scene.now + 10)
        #expect(try other.pendingBundles(for: phone.thumbprint, now: scene.now + 10).count == 2)
    }

    @Test func anExistingFileOrStoreIsLeftAlone() throws {
        let scene = try Scene(.sealer)
        let path = scene.root + "/backup"
        _ = try scene.store.backUp(to: path, secret: .keyFile(path: scene.root + "/bk"), now: scene.now)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            failure { _ = try scene.store.backUp(to: path, secret: .keyFile(path: scene.root + "/bk"), now: scene.now) }?
                .kind == .alreadyExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let error = failure { _ = try restore(path, .keyFile(path: scene.root + "/bk"), to: scene.directory, in: scene) }
        #expect(error?.kind == .alreadyExists)
        #expect(try names(in: scene.root) == ["audit.key", "backup", "bk", "key", "store"])
    }

    @Test func theWrongSecretOpensNothing() throws {
        let scene = try Scene(.sealer)
        let path = scene.root + "/backup"
        _ = try scene.store.backUp(to: path, secret: secret("right"), argon2id: cheap, now: scene.now)
        let wrong = failure { _ = try restore(path, secret("wrong"), to: scene.root + "/other", in: scene) }
        #expect(wrong == KeyStoreError(.authenticationFailed, path, "the passphrase does not open it"))
        #expect(
            failure { _ = try restore(path, .keyFile(path: scene.keyFile), to: scene.root + "/other", in: scene) }?.kind
                == .badInput)
        let file = scene.root + "/file"
        _ = try scene.store.backUp(to: file, secret: .keyFile(path: scene.root + "/bk"), now: scene.now)
        #expect(
            failure { _ = try restore(file, .keyFile(path: scene.keyFile), to: scene.root + "/other", in: scene) }?.kind
                == .authenticationFailed)
        #expect(failure { _ = try restore(file, secret("right"), to: scene.root + "/other", in: scene) }?.kind == .badInput)
        #expect(try names(in: scene.root) == ["audit.key", "backup", "bk", "file", "key", "store"])
    }

    @Test func oneThatIsInterruptedLeavesNothing() throws {
        let (scene, _, _, _) = try Scene.withConversation()
        let open = UnlockSecret.keyFile(path: scene.root + "/bk")
        let path = scene.root + "/backup"
        let error = failure { _ = try scene.store.backUp(to: path, secret: open, now: scene.now) { $0 < 3 } }
        #expect(error?.kind == .busy)
        #expect(try names(in: scene.root) == ["audit.key", "key", "store"])
        _ = try scene.store.backUp(to: path, secret: open, now: scene.now)
        let again = failure {
            _ = try Store.restore(
                path, secret: open, directory: scene.root + "/other", now: scene.now, goesOn: { _ in false },
                configuration: { StoreConfiguration(role: $0.role, unlock: open) })
        }
        #expect(again?.kind == .busy)
        #expect(try names(in: scene.root) == ["audit.key", "backup", "bk", "key", "store"])
    }

    @Test func aLockedStoreIsNotBackedUp() throws {
        let scene = try Scene(.device)
        for restart in [false, true] {
            try scene.store.lock(restart: restart, now: scene.now)
            let error = failure {
                _ = try scene.store.backUp(to: scene.root + "/b", secret: .keyFile(path: scene.keyFile), now: scene.now)
            }
            #expect(error?.kind == .locked)
        }
        #expect(try names(in: scene.root) == ["audit.key", "key", "store"])
    }

    @Test func aDamagedStoreIsNotBackedUp() throws {
        let (scene, _, _, _) = try Scene.withConversation()
        let database = try RawDatabase(scene.database)
        try database.edit("UPDATE conversation SET created = created + 1") {
            let error = failure {
                _ = try scene.store.backUp(to: scene.root + "/b", secret: .keyFile(path: scene.keyFile), now: scene.now)
            }
            #expect(error?.kind == .damaged && error?.subject == "row conversation/chat-1")
        }
        #expect(try names(in: scene.root) == ["audit.key", "key", "store"])
    }

    /// Every boundary of a chunk and the bytes around it, a flipped bit in the header, in every chunk and at the end,
    /// chunks in another order, twice or left out, and anything that follows.
    @Test func whateverWasDoneToTheFileIsRefusedAndNothingIsMade() throws {
        let (scene, sealer, _, phone) = try Scene.withConversation()
        for number in 0..<120 {
            _ = try sealer.provision(.of("chat-x\(number)"), algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        }
        let path = scene.root + "/backup"
        let open = UnlockSecret.keyFile(path: scene.root + "/bk")
        _ = try scene.store.backUp(to: path, secret: open, now: scene.now)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let chunk = 65_536 + 17
        let starts = Array(stride(from: 98, to: whole.count, by: chunk))
        #expect(starts.count >= 3)
        var files: [(String, [UInt8])] = []
        for start in [0, 1, 17, 42, 74] + starts + [whole.count] {
            for end in [start - 1, start, start + 1] where (0..<whole.count).contains(end) {
                files.append(("cut at \(end)", Array(whole[..<end])))
            }
        }
        let places = [0, 17, 18, 25, 26, 41, 42, 73, 74, 97] + starts.flatMap { [$0, min($0 + 40_000, whole.count - 20)] }
        for place in places + [whole.count - 1] {
            var edited = whole
            edited[place] ^= 1
            files.append(("flipped at \(place)", edited))
        }
        let chunks = starts.map { Array(whole[$0..<min($0 + chunk, whole.count)]) }
        let header = Array(whole[..<98])
        files.append(("swapped", header + (chunks[1] + chunks[0] + chunks[2...].joined())))
        files.append(("left out", header + chunks[1...].joined()))
        files.append(("last alone", header + chunks[chunks.count - 1]))
        files.append(("twice", header + chunks[0] + chunks.joined()))
        files.append(("one byte more", whole + [0]))
        files.append(("itself more", whole + whole))
        files.append(("its last chunk again", whole + chunks[chunks.count - 1]))
        // Another header of the same key.
        _ = try scene.store.backUp(to: scene.root + "/second", secret: open, now: scene.now)
        let second = Array(try Data(contentsOf: URL(fileURLWithPath: scene.root + "/second")))
        files.append(("another header", Array(second[..<98] + whole[98...])))
        files.append(("another stream header", Array(whole[..<74] + second[74..<98] + whole[98...])))
        let left = try names(in: scene.root)
        let edited = URL(fileURLWithPath: path)
        for (what, bytes) in files {
            try Data(bytes).write(to: edited)
            let error = failure { _ = try restore(path, open, to: scene.root + "/other", in: scene) }
            #expect([.damaged, .badInput, .authenticationFailed].contains(error?.kind), "\(what): \(String(describing: error))")
            #expect(error?.subject == path, "\(what)")
            #expect(try names(in: scene.root) == left, "\(what)")
        }
        try Data(whole).write(to: edited)
        _ = try restore(path, open, to: scene.root + "/other", in: scene)
    }

    /// On a file system of its own that is filled up but for a little.
    @Test(.enabled(if: geteuid() == 0, "needs the right to mount")) func aFullDiskLeavesNothing() throws {
        let (scene, sealer, _, phone) = try Scene.withConversation()
        for number in 0..<120 {
            _ = try sealer.provision(.of("chat-x\(number)"), algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        }
        let small = scene.root + "/small"
        #expect(mkdir(small, 0o700) == 0)
        guard mount("tmpfs", small, "tmpfs", 0, "size=128k,mode=700") == 0 else { return }
        defer { umount2(small, Int32(MNT_DETACH)) }
        let open = UnlockSecret.keyFile(path: scene.root + "/bk")
        let full = failure { _ = try scene.store.backUp(to: small + "/backup", secret: open, now: scene.now) }
        #expect(full?.kind == .full && full?.subject == small + "/backup", "\(String(describing: full))")
        #expect(try names(in: small).isEmpty)
        _ = try scene.store.backUp(to: scene.root + "/backup", secret: open, now: scene.now)
        let error = failure { _ = try restore(scene.root + "/backup", open, to: small + "/store", in: scene) }
        #expect(error?.kind == .full, "\(String(describing: error))")
        #expect(try names(in: small).isEmpty)
        #expect(mount("tmpfs", small, "tmpfs", UInt(MS_REMOUNT), "size=16m,mode=700") == 0)
        _ = try restore(scene.root + "/backup", open, to: small + "/store", in: scene)
    }

    @Test(arguments: [(0, 8), (11, 8), (1, 7), (1, 1_025), (1, 1 << 24)])
    func hostileWorkIsRefusedBeforeItIsDone(passes: Int, memory: Int) throws {
        let scene = try Scene(.sealer)
        let path = scene.root + "/backup"
        _ = try scene.store.backUp(to: path, secret: secret("pass"), argon2id: cheap, now: scene.now)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for (start, number) in [(18, passes), (22, memory)] {
            for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = failure { _ = try Store.backupContents(of: path, secret: secret("pass")) }
        #expect(error == KeyStoreError(.damaged, path, "its Argon2id parameters are outside what is accepted"))
    }

    @Test func theRoleIsThatOfTheBackup() throws {
        let scene = try Scene(.sealer)
        let open = UnlockSecret.keyFile(path: scene.root + "/bk")
        _ = try scene.store.backUp(to: scene.root + "/backup", secret: open, now: scene.now)
        let error = failure {
            _ = try Store.restore(scene.root + "/backup", secret: open, directory: scene.root + "/other", now: scene.now) {
                _ in StoreConfiguration(role: .device, unlock: open)
            }
        }
        #expect(error?.kind == .wrongRole)
        #expect(try names(in: scene.root) == ["audit.key", "backup", "bk", "key", "store"])
    }

    /// Handles with fewer than 64 epochs left: their conversations go on under a fresh secret, suspended ones suspended.
    @Test func withoutEpochsLeftTheSecretIsReplaced() throws {
        let (scene, sealer, chat, phone) = try Scene.withConversation()
        let second = try ConversationIdentifier.of("chat-2")
        _ = try sealer.provision(second, algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        let handles = try [chat, second].map { try #require(try sealer.conversation($0).active?.handle) }
        _ = try sealer.suspend(second, now: scene.now)
        for (handle, epoch) in zip(handles, [KeyIdentifier.lastEpoch - 63, KeyIdentifier.lastEpoch]) {
            try scene.store.write { (rows) throws(KeyStoreError) in
                guard var held = try rows.find(SecretRow.self, handle.string) else { return }
                held.record.epoch = epoch
                try rows.update(&held, secret: try rows.secret(of: held))
            }
        }
        let open = UnlockSecret.keyFile(path: scene.root + "/bk")
        _ = try scene.store.backUp(to: scene.root + "/backup", secret: open, now: scene.now)
        let (store, restored) = try restore(scene.root + "/backup", open, to: scene.root + "/other", in: scene)
        #expect(restored.replacedCount == 2 && restored.steppedCount == 0)
        let other = try SealerStore(store)
        let kid = try other.sealingState(chat, now: scene.now).kid
        #expect(kid.handle != handles[0] && kid.epoch == 0)
        #expect(try other.pendingBundles(for: phone.thumbprint, now: scene.now).contains { $0.kid == kid })
        #expect(failure { _ = try other.sealingState(second, now: scene.now) }?.kind == .refused)
        _ = try other.resume(second, now: scene.now)
        #expect(try other.sealingState(second, now: scene.now).kid.handle != handles[1])
        _ = try store.status(verify: true, now: scene.now)
    }

    /// Whether a device store's backup holds a secret of this device alone, asked of a reader that shares no code.
    @Test func whatIsForThisDeviceAloneIsNotInTheFile() throws {
        let scene = try Scene(.device)
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        var secrets: [AccessibilityClass: [UInt8]] = [:]
        for (index, accessible) in AccessibilityClass.allCases.enumerated() {
            let bytes = try SystemRandomBytes.bytes(32)
            secrets[accessible] = bytes
            let kid = try KeyIdentifier(handle: try Handle(bytes: try RandomName.bytes(Handle.byteCount)), epoch: 0)
            let record = HeldEpochRecord(
                conversation: try .of("chat-\(index)"), algorithm: .dir, kid: kid, state: .active, openUntil: nil,
                accessible: accessible, installOrder: Int64(index + 1), secret: .absent)
            try device.transaction(now: scene.now) { (transaction) throws(KeyStoreError) in
                do { try transaction.add(record, secret: try ConversationSecret(SymmetricKey(data: bytes))) } catch {
                    throw error as? KeyStoreError ?? KeyStoreError(.badInput, "test", "\(error)")
                }
            }
        }
        let path = scene.root + "/backup"
        let summary = try scene.store.backUp(to: path, secret: .keyFile(path: scene.root + "/bk"), now: scene.now)
        #expect(summary.staysBehindCount == 5 && summary.rows["held_epoch"] == 2)
        let text = try independentReading(of: path, keyFile: scene.root + "/bk")
        #expect(text.contains(#""record": "end""#))
        for (accessible, secret) in secrets {
            #expect(text.contains(secret.map { String(format: "%02x", $0) }.joined()) == !accessible.isThisDeviceOnly, "\(accessible)")
        }
        #expect(!text.contains(#""table": "identity""#) && !text.contains("this-device-only"))
        // And nothing of it in plain on the disk.
        let files = try FileBytes.all(of: [path])
        for secret in secrets.values { #expect(!files.contains { FileBytes.contains($0, secret) }) }
    }

    private func independentReading(of path: String, keyFile: String) throws -> String {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Canaries/backup_file.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, path, "--key-file", keyFile]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    /// What is of this store alone is no loss to tell of, and a backend has nothing of a device.
    @Test func aBackendWithAnAnchorLeavesNothingBehind() throws {
        let scene = try Scene(.sealer)
        try scene.store.setAnchor(scene.directory + ".anchor", now: scene.now)
        let backup = try scene.store.backUp(
            to: scene.directory + ".backup", secret: .keyFile(path: scene.directory + ".backup.key"), now: scene.now)
        #expect(backup.staysBehindCount == 0)
    }

    @Test func itsKeyFileIsAnotherFile() throws {
        let scene = try Scene(.sealer)
        let path = scene.directory + ".backup"
        let refusal = KeyStoreError(.badInput, path, "it cannot be both the backup and its key file")
        #expect(failure { _ = try scene.store.backUp(to: path, secret: .keyFile(path: path), now: scene.now) } == refusal)
        #expect(failure { _ = try scene.store.backupContents(to: path, secret: .keyFile(path: path), now: scene.now) } == refusal)
    }

    @Test func everyTableSaysWhatABackupTakesOfIt() {
        let staying = Table.allCases.filter { !$0.entersBackup }
        #expect(Set(staying) == [.store, .slot, .classKey, .digest, .anchor, .lease, .rotationRun, .identity, .splitKey])
    }
}
