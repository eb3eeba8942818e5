import CryptoPrimitives
import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Simulator
import StoreFixtures
import Testing

/// A phone with a store of its own that takes bundles as they come and opens pushes.
final class ReceivingPhone: Sendable {
    let thumbprint: DeviceThumbprint
    private let root: String
    private let store: DeviceStore
    private let device: SimulatedDevice
    private let passcode: String?

    /// Enrolls itself.
    /// - Parameter passcode: nil: a key file stands in for one.
    init(_ name: String, with backend: SealerStore, passcode: String? = nil) throws {
        self.passcode = passcode
        // In memory where there is such a folder: it is the sealers' disk that is under test.
        let memory = "/dev/shm"
        root = try Backend.temporaryFolder(in: FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp")
        let configuration = StoreConfiguration(
            role: .device, unlock: try Self.secret(passcode, keyFile: root + "/key"),
            argon2id: try Argon2idParameters(passes: 1, memoryMiB: 8))
        store = try DeviceStore(
            try Store.create(directory: root + "/store", configuration: configuration, now: Backend.start))
        let document = try store.makeIdentity(name: name, now: Backend.start)
        thumbprint = try backend.enroll(document, now: Backend.start).device.thumbprint
        device = SimulatedDevice(store)
    }

    deinit {
        // Takes the class keys out of the session.
        try? store.store.lock(restart: true, now: Backend.start)
        try? FileManager.default.removeItem(atPath: root)
    }

    func allowSplit() throws {
        try store.splitAllow(now: Backend.start)
    }

    func takeSplitKey(_ key: SymmetricKey, of conversation: ConversationIdentifier, until: Int64) throws {
        try store.splitAdd(key, conversation: conversation, until: until, now: Backend.start)
    }

    func lock() throws { try store.store.lock(restart: false, now: Backend.start) }

    func unlock() throws { try store.store.unlock(try Self.secret(passcode, keyFile: root + "/key"), now: Backend.start) }

    private static func secret(_ passcode: String?, keyFile: String) throws -> UnlockSecret {
        guard let passcode else { return .keyFile(path: keyFile) }
        var bytes = Array(passcode.utf8)
        return .passphrase(try Passphrase(consuming: &bytes))
    }

    func bring(_ state: LockState) throws {
        switch state {
        case .unlocked: try unlock()
        case .locked: try lock()
        case .beforeFirstUnlock: try restart()
        }
    }

    /// Every row of its database but the audit log's, as text.
    func rows() throws -> [String] {
        try DatabaseRows.of(root + "/store/\(StoreConfiguration.standardAccessGroup)/store.sqlite")
    }

    /// Has the store's directory disappear.
    func removeStore() throws { try FileManager.default.removeItem(atPath: root + "/store") }

    func accept(_ bundle: PendingBundle, now: Int64 = Backend.start) throws -> BundleResult {
        try device.accept(Array(bundle.bundle.utf8), now: now)
    }

    /// The epochs it holds of a secret, lowest first.
    func epochs(of handle: Handle) throws -> [HeldEpochRecord] {
        try store.reading { (held) throws(KeyStoreError) in try held.heldEpochs(handle: handle) }
    }

    /// What a phone does by itself to the keys of a conversation.
    func change(_ body: (DeviceStore) throws -> Void) throws { try body(store) }

    /// Takes every bundle that waits; what was not installed is an error.
    func acceptBundles(from backend: SealerStore, acknowledging: Bool = true, now: Int64 = Backend.start) throws {
        for bundle in try backend.pendingBundles(for: thumbprint, now: now) {
            let result = try device.accept(Array(bundle.bundle.utf8), now: now)
            guard result.outcome == .installed || result.already else {
                throw WorkerFailure("bundle \(bundle.sequence) of \(bundle.kid): \(result.outcome.rawValue)")
            }
            if acknowledging { try backend.acknowledge(device: thumbprint, sequence: bundle.sequence, now: now) }
        }
    }

    /// The folder that its app and extension share.
    var container: String { root + "/container" }

    /// Has its extension, a process of its own, deal with a payload.
    /// - Parameter show: before it counts as shown.
    func receive(
        _ payload: [UInt8], now: Int64 = Backend.start, _ change: (inout SimulatedApp) -> Void = { _ in },
        show: (ExtensionSimulation.Result) throws -> Void = { _ in }
    ) throws -> ExtensionSimulation.Result {
        try receive(payload, now, try app(change), remembers: true, show: show)
    }

    /// The same, and nothing is kept of it.
    func rehearse(_ payload: [UInt8], now: Int64 = Backend.start) throws -> ExtensionSimulation.Result {
        let rehearsed = try RehearsedContainer(of: container)
        defer { withExtendedLifetime(rehearsed) {} }
        return try receive(payload, now, try app { $0.container = rehearsed.path }, remembers: false) { _ in }
    }

    private func receive(
        _ payload: [UInt8], _ now: Int64, _ app: SimulatedApp, remembers: Bool, show: (ExtensionSimulation.Result) throws -> Void
    ) throws -> ExtensionSimulation.Result {
        var result: ExtensionSimulation.Result?
        try device.receive(try APNsFile(payload), identifier: "request", app: app, now: now, remembers: remembers) {
            result = $0
            try show($0)
        }
        return try #require(result)
    }

    private func app(_ change: (inout SimulatedApp) -> Void) throws -> SimulatedApp {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("waxwing-extension").path
        var app = SimulatedApp(program: program, container: container)
        change(&app)
        return app
    }

    /// Opens what waits in the shared container, as the app does after an unlock.
    func drain(now: Int64) throws -> [DrainedMessage] {
        var messages: [DrainedMessage] = []
        #expect(try device.drain(SimulatedApp(program: "", container: container), now: now) { messages.append($0) })
        return messages
    }

    func restart() throws { try store.store.lock(restart: true, now: Backend.start) }

    func open(_ payload: [UInt8], now: Int64 = Backend.start, remembers: Bool = true) -> SimulatedOpening {
        device.open(payload, now: now, remembers: remembers)
    }
}
