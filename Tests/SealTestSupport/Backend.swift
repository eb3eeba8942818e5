internal import CryptoPrimitives
public import EnvelopeFormat
internal import Foundation
public import KeyStore
public import Sealer

/// A sealer store in a folder of its own, gone when this is.
public final class Backend: Sendable {
    public static let start: Int64 = 1_800_000_000

    public let root: String
    public let directory: String
    public let store: SealerStore

    /// - Parameter defaults: what the store says for all requests, as JSON.
    public init(defaults: String = "{}") throws {
        root = try Self.temporaryFolder()
        directory = root + "/store"
        let configuration = StoreConfiguration(
            role: .sealer, unlock: .keyFile(path: root + "/key"), defaults: StoreDefaults(json: Array(defaults.utf8)))
        store = try SealerStore(
            try Store.create(directory: directory, configuration: configuration, now: Self.start))
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// A second look at the same store, as another process has.
    public func reopened() throws -> SealerStore { try SealerStore(try Store.open(directory: directory)) }

    public func sealer(leasing: Leasing = .exact, over store: SealerStore? = nil) throws -> PushSealer {
        try PushSealer(store ?? self.store, leasing: leasing)
    }

    /// Enrolls phones that are nothing but a key.
    public func enroll(_ count: Int) throws -> [DeviceThumbprint] {
        try (0..<count).map { number in
            let document = try EnrollmentDocument(
                publicKey: P256.KeyAgreement.PrivateKey().publicKey, enrollmentSecret: SymmetricKey(size: .bits256),
                name: "phone \(number)")
            return try store.enroll(document, now: Self.start).device.thumbprint
        }
    }

    /// A conversation whose members are new phones; of `split` there are none, and it ends in a day.
    @discardableResult
    public func provision(
        _ name: String, _ algorithm: KeyAlgorithm, members: Int = 1
    ) throws -> (conversation: ConversationIdentifier, members: [DeviceThumbprint]) {
        let conversation = try ConversationIdentifier(name)
        let phones = algorithm == .split ? [] : try enroll(members)
        _ = try store.provision(
            conversation, algorithm: algorithm, members: phones,
            until: algorithm == .split ? Self.start + 86_400 : nil, now: Self.start)
        return (conversation, phones)
    }

    /// The files that the store keeps its rows in.
    public var databaseFiles: [String] {
        let path = directory + "/" + StoreConfiguration.standardAccessGroup + "/store.sqlite"
        return [path, path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// A new folder that only its owner may enter.
    public static func temporaryFolder(in parent: String = "/tmp") throws -> String {
        var template = Array("\(parent)/waxwing-sealing-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw WorkerFailure("mkdtemp: errno \(errno)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
