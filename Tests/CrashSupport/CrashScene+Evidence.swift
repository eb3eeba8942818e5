internal import Glibc
import KeyStore
import Sealer
import StoreFixtures
import TestSupport

extension CrashScene {
    static func auditKey(of directory: String) -> String { directory + "-audit-key" }
    static func checkpoint(of directory: String) -> String { directory + "-checkpoint" }

    /// An operator whose `init` was killed finds a key of a log that no store has, and it is whole; repeated, the `init` refuses
    /// and says to remove it.
    func forgetAuditKey(of directory: String) throws {
        let path = Self.auditKey(of: directory)
        guard access(directory, F_OK) != 0, let bytes = try Files.read(path) else { return }
        _ = try AuditKey(parsing: Array(bytes.dropLast()))
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: directory + "-key"))
        configuration.auditKeyFile = path
        do { try Store.checkCreation(directory: directory, configuration: configuration, now: now) } catch {
            guard error.kind == .alreadyExists, error.hint?.contains("remove this one") == true else { throw error }
            unlink(path)
            return
        }
        throw CrashFailure("\(path) was left, and is not refused")
    }

    /// The same of an anchor that was begun: the refusal says which file it is, and to remove it.
    func forgetAnchor(_ path: String) throws {
        guard !hasBackend, access(path, F_OK) == 0 else { return }
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: backendDirectory + "-key"))
        configuration.anchor = path
        do { try Store.checkCreation(directory: backendDirectory, configuration: configuration, now: now) } catch {
            guard error.kind == .alreadyExists, error.subject == path, error.hint?.contains("rm \(path)") == true else {
                throw error
            }
            unlink(path)
            return
        }
        throw CrashFailure("\(path) was left, and is not refused")
    }

    /// Makes the backend with an anchor.
    func makeBackendAnchored() throws {
        try forgetAuditKey(of: backendDirectory)
        try forgetAnchor(anchor(1))
        try makeBackend(anchor: anchor(1))
    }

    /// Takes a checkpoint of every store's audit log, for ``verifyAudit(of:_:)``.
    func keepCheckpoints() throws {
        if hasBackend { try keepCheckpoint(of: try backend.store, backendDirectory) }
        for number in phoneNumbers where try phone(number).store.lockState != .beforeFirstUnlock {
            try keepCheckpoint(of: try phone(number).store, phoneDirectory(number))
        }
    }

    private func keepCheckpoint(of store: Store, _ directory: String) throws {
        try Files.write(try store.auditCheckpoint(now: now).json(), to: Self.checkpoint(of: directory))
    }

    /// That the audit log holds, by what was kept elsewhere.
    func verifyAudit(of store: Store, _ directory: String) throws {
        let key = try Files.read(Self.auditKey(of: directory)).map { try AuditKey(parsing: $0) }
        let checkpoint = try Files.read(Self.checkpoint(of: directory)).map { try AuditCheckpoint(parsing: $0) }
        let verification = try store.verifyAudit(key: key, checkpoint: checkpoint)
        guard verification.fault == nil else {
            throw CrashFailure("\(directory): audit entry \(verification.fault.map { "\($0.number): \($0.reason)" } ?? "")")
        }
        guard key == nil || !verification.unchecked.contains(.macs), checkpoint == nil || !verification.unchecked.contains(.tail)
        else { throw CrashFailure("\(directory): \(verification.unchecked) of the audit log was not checked") }
    }

    // MARK: Stores that are gone, or of an older version

    /// Puts a store where nobody finds it.
    func lose(_ directory: String) throws {
        close()
        guard rename(directory, directory + "-lost") == 0 else { throw CrashFailure("\(directory): errno \(errno)") }
    }

    /// A backend and a phone of schema 1.
    func makeOlder() throws {
        let (backend, phone) = (backendDirectory, phoneDirectory(0))
        _ = try StoreFixture("schema-1", "sealer", at: backend, keyFile: backend + "-key")
        _ = try StoreFixture("schema-1", "phone", at: phone, keyFile: phone + "-key")
        let push = ProjectFolder.root.appendingPathComponent("Tests/Fixtures/schema-1/push")
        try Files.write(try ProjectFolder.bytes(push), to: olderPush)
    }

    /// Whether the store there is to be migrated first.
    func isOlder(_ directory: String) throws -> Bool {
        do { _ = try Store.open(directory: directory) } catch {
            guard error.hint == "keyctl migrate" else { throw error }
            return true
        }
        return false
    }

    // MARK: What is left

    /// The files that are in the scene under a name for the time being.
    public func unfinished() throws -> [String] {
        guard let directory = opendir(folder) else { throw CrashFailure("\(folder): errno \(errno)") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasPrefix("."), name.contains(".new-") { names.append(name) }
        }
        return names
    }
}
