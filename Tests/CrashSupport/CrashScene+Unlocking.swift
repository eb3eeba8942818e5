import EnvelopeFormat
public import KeyStore

extension CrashScene {
    /// The key files beside those that the stores are made with.
    func keyFile(_ number: Int) -> UnlockSecret { .keyFile(path: folder + "/other-key-\(number)") }

    /// Also the passcode of the phone that an older version made.
    var passphrase: UnlockSecret {
        get throws {
            var bytes = Array("4711".utf8)
            return .passphrase(try Passphrase(consuming: &bytes))
        }
    }

    /// What may unlock a store, by the names of a state.
    func secrets(of directory: String) throws -> [(name: String, secret: UnlockSecret)] {
        [("key", .keyFile(path: directory + "-key")), ("key 1", keyFile(1)), ("key 2", keyFile(2)), ("passphrase", try passphrase)]
    }

    /// The names of all that unlocks a store now.
    func ways(into store: Store, _ directory: String) throws -> [String] {
        try secrets(of: directory).filter { try Self.unlocks($0.secret, store) }.map(\.name)
    }

    /// What unlocks a phone now.
    public func phoneSecret(_ number: Int) throws -> UnlockSecret {
        try secret(of: try phone(number).store, phoneDirectory(number))
    }

    private func secret(of store: Store, _ directory: String) throws -> UnlockSecret {
        guard let found = try secrets(of: directory).first(where: { try Self.unlocks($0.secret, store) }) else {
            throw CrashFailure("nothing unlocks \(directory)")
        }
        return found.secret
    }

    private static func unlocks(_ secret: UnlockSecret, _ store: Store) throws -> Bool {
        do {
            try store.checkUnlock(secret)
            return true
        } catch {
            guard [.authenticationFailed, .unavailable, .badInput].contains(error.kind) else { throw error }
            return false
        }
    }

    /// Undoes every stop there is, so that what can be sealed and opened can be tried.
    public func makeReady() throws {
        if hasBackend {
            if try backend.store.lockState != .unlocked {
                try backend.store.unlock(try secret(of: try backend.store, backendDirectory), now: now)
            }
            for record in try backend.conversations() where record.active == nil {
                guard record.handles.contains(where: { $0.state == .suspended }) else { continue }
                _ = try backend.resume(record.conversation, now: now)
            }
        }
        for number in phoneNumbers where try phone(number).store.lockState != .unlocked {
            try phone(number).store.unlock(try phoneSecret(number), now: now)
        }
    }

    /// Has the class keys of every phone that can be opened in the session, whatever another run left there.
    public func unlockPhones() throws {
        for number in phoneNumbers where try !isOlder(phoneDirectory(number)) {
            try phone(number).store.unlock(try phoneSecret(number), now: now)
        }
    }

    /// Takes the class keys of every store out of the session.
    public func forgetSessions() {
        for number in phoneNumbers { try? phone(number).store.lock(restart: true, now: now) }
        if hasBackend { try? backend.store.lock(restart: true, now: now) }
    }
}
