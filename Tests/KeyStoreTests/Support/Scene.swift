import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials
import Glibc

@testable import KeyStore

/// A directory of its own with a store in it, gone when the scene is.
final class Scene {
    static let start: Int64 = 1_800_000_000

    let root: String
    let directory: String
    let keyFile: String
    let store: Store
    var now = Scene.start

    init(_ role: StoreRole, passphrase: String? = nil) throws {
        root = try Scene.temporaryDirectory()
        directory = root + "/store"
        keyFile = root + "/key"
        let unlock: UnlockSecret
        if let passphrase { unlock = try .passphrase(.of(passphrase)) } else { unlock = .keyFile(path: keyFile) }
        let configuration = StoreConfiguration(
            role: role, unlock: unlock, argon2id: try Argon2idParameters(passes: 1, memoryMiB: 8))
        store = try Store.create(directory: directory, configuration: configuration, now: now)
    }

    /// A sealer store with one phone that is the member of one `dir` conversation.
    static func withConversation(
        maximumAge: Int64? = nil
    ) throws -> (scene: Scene, sealer: SealerStore, chat: ConversationIdentifier, phone: Phone) {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let chat = try ConversationIdentifier.of("chat-1")
        let phone = Phone()
        _ = try sealer.enroll(try phone.document(), now: scene.now)
        _ = try sealer.provision(
            chat, algorithm: .dir, members: [phone.thumbprint], maximumAge: maximumAge, now: scene.now)
        return (scene, sealer, chat, phone)
    }

    deinit {
        try? store.storage.read { (rows) throws(KeyStoreError) in
            try store.source.evict(Array(try ClassKeyRow.versions(in: rows)), in: rows)
        }
        Scene.remove(root)
    }

    var database: String { directory + "/" + StoreConfiguration.standardAccessGroup + "/store.sqlite" }
    var generationFile: String { directory + "/" + StoreConfiguration.standardAccessGroup + "/generation" }

    /// A second look at the same store, as another process has.
    func reopened() throws -> Store { try Store.open(directory: directory) }

    static func temporaryDirectory() throws -> String {
        var template = Array("/tmp/waxwing-keystore-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw KeyStoreError(errno: errno, "/tmp", "mkdtemp") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

extension Passphrase {
    static func of(_ text: String) throws -> Passphrase {
        var bytes = Array(text.utf8)
        return try Passphrase(consuming: &bytes)
    }
}

extension ConversationIdentifier {
    static func of(_ name: String) throws -> ConversationIdentifier { try ConversationIdentifier(name) }
}

/// The error of a body that must fail.
func failure(_ body: () throws -> Void) -> KeyStoreError? {
    do {
        try body()
        return nil
    } catch { return error as? KeyStoreError }
}
