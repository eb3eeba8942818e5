import CSQLite
import Foundation
import KeyStore
import TestSupport

/// A store that an older version made, from the dumps in `Tests/Fixtures`, put to use as if it had been made here.
///
/// The store's row names owner and key file, which a fixture cannot know; it is sealed anew with the fixture's own keys, by
/// what the format says and not by the code that is tested.
public struct StoreFixture {
    /// The passcode of the device stores.
    public static let passcode = "4711"

    public let directory: String
    public let database: String

    /// - Parameters:
    ///   - name: a folder of `Tests/Fixtures`, as "schema-1".
    ///   - store: "sealer" or "phone".
    ///   - keyFile: where the key file of a sealer store is put.
    public init(_ name: String, _ store: String, at directory: String, keyFile: String) throws {
        let folder = ProjectFolder.root.appendingPathComponent("Tests/Fixtures/\(name)")
        let group = directory + "/" + StoreConfiguration.standardAccessGroup
        self.directory = directory
        database = group + "/store.sqlite"
        for path in [directory, group] {
            guard mkdir(path, 0o700) == 0 else { throw FixtureFailure(what: "mkdir", code: errno) }
        }
        let key = try Data(contentsOf: folder.appendingPathComponent("key"))
        let text = String(decoding: key, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let keyBytes = try FixtureFailure.unwrapping(Data(base64Encoded: text), "key")
        if store == "sealer" { try Self.make(keyFile, keyBytes) }
        try Self.make(database, Data())
        let dump = try String(contentsOf: folder.appendingPathComponent("\(store).sql"), encoding: .utf8)
        let file = try FixtureDatabase(database)
        try file.run("PRAGMA journal_mode = WAL")
        try file.run(dump)
        try Self.adopt(file, keyFile: store == "sealer" ? (keyFile, [UInt8](keyBytes)) : nil)
    }

    private static func make(_ path: String, _ content: Data) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw FixtureFailure(what: "open", code: errno) }
        close(descriptor)
        try content.write(to: URL(fileURLWithPath: path))
        guard chmod(path, 0o600) == 0 else { throw FixtureFailure(what: "chmod", code: errno) }
    }

    /// Gives the store's row this user, and the key file's place.
    private static func adopt(_ file: FixtureDatabase, keyFile: (path: String, bytes: [UInt8])?) throws {
        let slot = try file.row("SELECT * FROM slot")
        var kekBytes = keyFile?.bytes ?? []
        let kek: GuardedBytes
        if keyFile == nil, case .blob(let salt)? = slot["salt"] {
            var passcode = Array(passcode.utf8)
            kek = try Argon2id.derive(
                from: Passphrase(consuming: &passcode), salt: salt,
                parameters: Argon2idParameters(passes: 1, memoryMiB: 8))
        } else {
            kek = try GuardedBytes(consuming: &kekBytes)
        }
        var store = try file.row("SELECT * FROM store")
        let wrap = try file.row("SELECT slot, name, key_version, wrap FROM class_key WHERE name = 'integrity'")
        guard case .blob(let wrapped)? = wrap["wrap"], let identifier = store["id"] else {
            throw FixtureFailure(what: "integrity key", code: 0)
        }
        let place = [.text("waxwing key store 1: class key"), identifier, wrap["slot"], wrap["name"], wrap["key_version"]]
        let integrity = try KeyWrap.unwrap(wrapped, key: kek, associatedData: FixtureDatabase.Cell.encode(place))
        store["owner"] = .integer(Int64(geteuid()))
        if let keyFile { store["key_file"] = .text(keyFile.path) }
        let columns = ["role", "access_group", "created", "key_file", "unix_group", "owner", "defaults", "stopped"]
        var parts: [FixtureDatabase.Cell?] = [
            .text("waxwing key store 1: row"), identifier, .text("store"), identifier, store["version"],
        ]
        for column in columns { parts += [.text(column), store[column]] }
        let sealed = try KeyWrap.wrap(
            UnsafeRawBufferPointer(start: nil, count: 0), key: integrity,
            associatedData: FixtureDatabase.Cell.encode(parts))
        try file.run(
            """
            UPDATE store SET owner = \(geteuid()), key_file = \(keyFile.map { "'\($0.path)'" } ?? "NULL"),
                sealed = x'\(sealed.map { String(format: "%02x", $0) }.joined())'
            """)
    }
}
