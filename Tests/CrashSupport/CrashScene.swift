import CryptoPrimitives
public import EnvelopeFormat
internal import Glibc
public import KeyStore
import OpenerNSE
import Sealer
import Simulator

/// A backend and three phones in one folder, as an operation finds them. Used by one thread.
///
/// The folder keeps its path when it is copied back, as a store knows the path of its key file.
public final class CrashScene {
    public static let start: Int64 = 1_800_000_000
    /// How long one step comes after another.
    private static let pause: Int64 = 1_000
    public static let direct = "direct"
    public static let hybrid = "hybrid"

    public let folder: String
    /// What the operation has to tell at once, as it may be killed before it returns.
    public let say: (String) -> Void
    public private(set) var now = CrashScene.start
    private var backendKept: SealerStore?
    private var phonesKept: [Int: DeviceStore] = [:]

    public init(_ folder: String, say: @escaping (String) -> Void = { _ in }) {
        self.folder = folder
        self.say = say
        now = origin
    }

    /// Stores of an older version are of their own time, and their pushes not yet out of date.
    private var origin: Int64 { access(olderPush, F_OK) == 0 ? 1_796_040_000 : Self.start }
    var olderPush: String { folder + "/before-chat" }

    /// Sets the clock to that of a step.
    public func begin(step: Int) { now = origin + Int64(step + 1) * Self.pause }

    /// Closes every store.
    public func close() {
        backendKept = nil
        phonesKept = [:]
    }

    public var backendDirectory: String { folder + "/backend" }
    public func phoneDirectory(_ number: Int) -> String { folder + "/phone-\(number)" }

    /// The backend, opened when it is first asked for.
    public var backend: SealerStore {
        get throws {
            if let backendKept { return backendKept }
            let store = try SealerStore(try Store.open(directory: backendDirectory))
            backendKept = store
            return store
        }
    }

    public func phone(_ number: Int) throws -> DeviceStore {
        if let store = phonesKept[number] { return store }
        let store = try DeviceStore(try Store.open(directory: phoneDirectory(number)))
        phonesKept[number] = store
        return store
    }

    /// The numbers of the phones that have a store.
    public var phoneNumbers: [Int] { (0..<3).filter { access(phoneDirectory($0), F_OK) == 0 } }
    public var hasBackend: Bool { access(backendDirectory, F_OK) == 0 }

    public func thumbprint(_ number: Int) throws -> DeviceThumbprint {
        guard let thumbprint = try phone(number).identityThumbprint() else { throw CrashFailure("phone \(number) has no key") }
        return thumbprint
    }

    public func conversation(_ name: String) throws -> ConversationIdentifier { try ConversationIdentifier(name) }

    // MARK: Making

    public func makeBackend(anchor: String? = nil) throws {
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: folder + "/backend-key"))
        configuration.auditKeyFile = Self.auditKey(of: backendDirectory)
        configuration.anchor = anchor
        backendKept = try SealerStore(
            try Store.create(directory: backendDirectory, configuration: configuration, now: now))
    }

    func keepBackend(_ store: SealerStore) { backendKept = store }

    public func makePhone(_ number: Int) throws {
        let directory = phoneDirectory(number)
        var configuration = StoreConfiguration(role: .device, unlock: .keyFile(path: directory + "-key"))
        configuration.auditKeyFile = Self.auditKey(of: directory)
        phonesKept[number] = try DeviceStore(
            try Store.create(directory: directory, configuration: configuration, now: now))
    }

    @discardableResult
    public func makeIdentity(_ number: Int) throws -> EnrollmentDocument {
        try phone(number).makeIdentity(name: "phone \(number)", now: now)
    }

    public func enroll(_ number: Int) throws {
        _ = try backend.enroll(try phone(number).enrollmentDocument(), now: now)
    }

    /// A backend with two conversations of two phones that hold their keys, a third phone that nobody enrolled, and a
    /// push of each conversation for the first phone.
    public func makeBase() throws {
        try makeBackend()
        for number in 0..<3 {
            try makePhone(number)
            try makeIdentity(number)
        }
        for number in 0..<2 { try enroll(number) }
        let members = [try thumbprint(0), try thumbprint(1)]
        for (name, algorithm) in [(Self.direct, KeyAlgorithm.dir), (Self.hybrid, .hpke7)] {
            _ = try backend.provision(try conversation(name), algorithm: algorithm, members: members, now: now)
        }
        for number in 0..<2 { try deliver(to: number) }
        for name in [Self.direct, Self.hybrid] { try Files.write(try seal(name, for: 0), to: folder + "/before-\(name)") }
    }
}
