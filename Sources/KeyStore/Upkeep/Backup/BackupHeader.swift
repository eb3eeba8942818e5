/// The plain beginning of a backup file (docs/spec/backup.md, section 3).
struct BackupHeader {
    static let byteCount = 98
    private static let magic = Array("waxwing backup 1\n".utf8)

    /// What opens the file; nil for a key file.
    let argon2id: Argon2idParameters?
    let salt: [UInt8]

    init(argon2id: Argon2idParameters?, salt: [UInt8]) {
        self.argon2id = argon2id
        self.salt = salt
    }

    /// - Throws: `.badInput` for a file that is no backup, `.damaged` for parameters nobody here writes.
    init(_ bytes: [UInt8], _ path: String) throws(KeyStoreError) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw KeyStoreError(.badInput, path, "it is no backup of a key store")
        }
        salt = Array(bytes[26..<42])
        let work = [18, 22].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        switch bytes[17] {
        case 1:
            guard let parameters = try? Argon2idParameters(passes: work[0], memoryMiB: work[1]) else {
                throw KeyStoreError(.damaged, path, "its Argon2id parameters are outside what is accepted")
            }
            argon2id = parameters
        case 2 where work == [0, 0]: argon2id = nil
        default: throw KeyStoreError(.damaged, path, "it says nothing known of what opens it")
        }
    }

    /// All but check and stream header.
    var fields: [UInt8] {
        var bytes = Self.magic + [argon2id == nil ? 2 : 1]
        for number in [argon2id?.passes ?? 0, argon2id?.memoryMiB ?? 0] {
            bytes += withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
        }
        return bytes + salt
    }

    /// The key that the secret comes to: of a passphrase by Argon2id, of a key file what is in it.
    /// - Throws: `.badInput` for a secret of the other kind.
    func key(_ secret: UnlockSecret, _ path: String) throws(KeyStoreError) -> GuardedBytes {
        switch (secret, argon2id) {
        case (.passphrase(let passphrase), .some(let parameters)):
            do { return try Argon2id.derive(from: passphrase, salt: salt, parameters: parameters) } catch {
                throw KeyStoreError(error, path)
            }
        case (.keyFile(let file), nil): return try KeyFile(file, group: nil).read()
        case (.passphrase, nil): throw KeyStoreError(.badInput, path, "a key file opens it, not a passphrase")
        case (.keyFile, .some): throw KeyStoreError(.badInput, path, "a passphrase opens it, not a key file")
        }
    }

    /// What tells a wrong secret from a damaged file.
    func check(_ key: GuardedBytes, _ path: String) throws(KeyStoreError) -> [UInt8] { try derive("check", key, path) }

    /// The key of the stream.
    func streamKey(_ key: GuardedBytes, _ path: String) throws(KeyStoreError) -> GuardedBytes {
        var bytes = try derive("stream", key, path)
        do { return try GuardedBytes(consuming: &bytes) } catch { throw KeyStoreError(error, path) }
    }

    private func derive(_ use: String, _ key: GuardedBytes, _ path: String) throws(KeyStoreError) -> [UInt8] {
        var message = AssociatedData("waxwing backup 1: \(use)")
        message.append(fields)
        do { return try KeyedDigest.digest(of: message.bytes, key: key) } catch { throw KeyStoreError(error, path) }
    }
}
