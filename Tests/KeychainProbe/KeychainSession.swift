import CryptoPrimitives
import EnvelopeFormat
import KeyStore

/// The store that a probe has open, and what it is asked about it.
final class KeychainSession {
    private let directory: String
    private var opened: Store?
    /// Values that were read and are still in use.
    private var held: [SymmetricKey] = []

    init(directory: String) { self.directory = directory }

    func answer(_ words: [String]) -> String {
        do {
            let said = try run(words)
            return said.isEmpty ? "ok" : "ok \(said)"
        } catch let error as KeyStoreError {
            return "\(error.keychainStatus) \(error)"
        } catch { return "error \(error)" }
    }

    private func run(_ words: [String]) throws -> String {
        let rest = Array(words.dropFirst())
        switch (words.first ?? "", rest.count) {
        case ("create", 2): try create(group: rest[0], keyFile: rest[1])
        case ("open", 0): opened = try Store.open(directory: directory)
        case ("unlock", 1): try store().unlock(.keyFile(path: rest[0]), now: now)
        case ("unlock", 2): try store().unlock(.keyFile(path: rest[0]), timeout: Int(rest[1]) ?? -1, now: now)
        case ("lock", 0): try store().lock(restart: false, now: now)
        case ("restart", 0): try store().lock(restart: true, now: now)
        case ("state", 0): return try store().lockState.rawValue
        case ("left", 0): return try store().secondsUntilLock.map { String($0) } ?? "none"
        case ("holder", 0): return try store().status(now: now).sessionHolder ?? "none"
        case ("add", 4):
            try keychain().add(
                service: rest[0], account: rest[1], value: SymmetricKey(data: Array(rest[2].utf8)),
                accessible: AccessibilityClass(rawValue: rest[3]) ?? .whenUnlocked, now: now)
        case ("get", 2):
            let value = try keychain().get(service: rest[0], account: rest[1]).value
            return value?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        // Reads and lets go again, saying nothing of the value.
        case ("touch", 2): return "\(try keychain().get(service: rest[0], account: rest[1]).value?.bitCount ?? 0)"
        case ("search", 1): return try keychain().search(service: rest[0]).map(\.account).joined(separator: ",")
        case ("update", 3):
            try keychain().update(
                service: rest[0], account: rest[1], value: SymmetricKey(data: Array(rest[2].utf8)), now: now)
        case ("delete", 2): try keychain().delete(service: rest[0], account: rest[1])
        case ("move", 3):
            try keychain().setAccessibility(
                AccessibilityClass(rawValue: rest[2]) ?? .whenUnlocked, service: rest[0], account: rest[1], now: now)
        case ("hold", 2):
            if let value = try keychain().get(service: rest[0], account: rest[1]).value { held.append(value) }
        case ("release", 0): held = []
        case ("during", 0): return try during()
        default: return "no such command"
        }
        return ""
    }

    /// An operation that stays open, with the secrets of epochs in hand, until the next line comes.
    private func during() throws -> String {
        try DeviceStore(try store()).reading { (transaction) throws(KeyStoreError) in
            let secrets = try transaction.heldEpochs().compactMap(\.secret.value)
            KeychainProbe.say("ok holding \(secrets.count)")
            _ = readLine()
            return "let go of \(secrets.count)"
        }
    }

    private func create(group: String, keyFile: String) throws {
        opened = try Store.create(
            directory: directory,
            configuration: StoreConfiguration(
                role: .device, unixGroup: group == "-" ? nil : group, unlock: .keyFile(path: keyFile)), now: now)
    }

    private func store() throws -> Store {
        if let opened { return opened }
        let store = try Store.open(directory: directory)
        opened = store
        return store
    }

    private func keychain() throws -> Keychain { try Keychain(store()) }

    private let now: Int64 = 1_800_000_000
}
