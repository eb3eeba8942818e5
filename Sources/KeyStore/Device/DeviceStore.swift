public import CryptoPrimitives
public import EnvelopeFormat

/// One emulated phone's side of a key store: its identity, the epochs it holds, what it has opened.
public final class DeviceStore: Sendable {
    public let store: Store

    /// The class of the identity: pushes arrive on a locked phone.
    private static let identityClass = AccessibilityClass.afterFirstUnlockThisDeviceOnly

    /// - Throws: `.wrongRole` for a sealer store.
    public init(_ store: Store) throws(KeyStoreError) {
        guard store.role == .device else {
            throw KeyStoreError(.wrongRole, store.directory, "it is a sealer store, and a device store is needed")
        }
        self.store = store
    }

    /// Makes the device's key and enrollment secret. There is one identity, and it is never replaced.
    /// - Parameter name: 1 to 128 bytes, for people.
    /// - Throws: `.alreadyExists`, `.locked`, `.badInput`.
    public func makeIdentity(name: String, now: Int64) throws(KeyStoreError) -> EnrollmentDocument {
        try store.write(auditing: .identity, "identity", at: now) { (rows) throws(KeyStoreError) in
            guard try rows.storage.count(.identity, []) == 0 else {
                throw KeyStoreError(.alreadyExists, "identity", "the device has one", hint: "keyctl device show")
            }
            let secret = SymmetricKey(size: .bits256)
            let (rawKey, key) = try DeviceKeyMaking.make()
            let document: EnrollmentDocument
            do throws(FormatError) {
                document = try EnrollmentDocument(publicKey: key.publicKey, enrollmentSecret: secret, name: name)
            } catch { throw KeyStoreError(.badInput, "identity", error.description) }
            for (part, secret) in [(IdentityRow.Part.deviceKey, rawKey), (.enrollmentSecret, secret)] {
                try rows.insert(
                    IdentityRow(
                        part: part, thumbprint: document.thumbprint, name: name,
                        publicKey: Array(key.publicKey.x963Representation), created: now),
                    secret: secret, under: ClassKeyName(Self.identityClass))
            }
            try DeviceTransaction(rows, now: now).forgetBundles()
            rows.noteKeyChange()
            rows.act?.subject = "device \(document.thumbprint)"
            return document
        }
    }

    /// Writes into the audit log that a bundle was not taken, where the log can be written now.
    /// - Parameters:
    ///   - sequence: its number, and `kid` its key, once it opened.
    ///   - reason: the name of the outcome.
    public func noteRefusal(ofBundle sequence: Int64?, kid: KeyIdentifier?, reason: String, now: Int64) {
        let subject = sequence.map { "bundle \($0)" } ?? "bundle"
        store.auditRefusal(of: AuditNote(.accept, subject, kid: kid), KeyStoreError(.refused, subject, reason), at: now)
    }

    /// The document that enrolls the device.
    /// - Throws: `.notFound` when there is no identity, `.locked` when it cannot be read now.
    public func enrollmentDocument() throws(KeyStoreError) -> EnrollmentDocument {
        try store.read { (rows) throws(KeyStoreError) in
            let row = try Self.identity(.enrollmentSecret, rows)
            do {
                return try EnrollmentDocument(
                    publicKey: try P256.KeyAgreement.PublicKey(x963Representation: row.record.publicKey),
                    enrollmentSecret: try rows.secret(of: row), name: row.record.name)
            } catch let error as KeyStoreError {
                throw error
            } catch {
                throw KeyStoreError(.damaged, row.row.subject, "it is no identity")
            }
        }
    }

    /// The device's private key.
    public func deviceKey() -> Reading<P256.KeyAgreement.PrivateKey> {
        Reading { () throws(KeyStoreError) in
            try store.read { (rows) throws(KeyStoreError) in
                let row = try Self.identity(.deviceKey, rows)
                let key = try rows.secret(of: row)
                do { return try P256.KeyAgreement.PrivateKey(rawRepresentation: key) } catch {
                    throw KeyStoreError(.damaged, row.row.subject, "it is no key")
                }
            }
        }
    }

    /// The secret that bundles for the device are sealed with.
    public func enrollmentSecret() -> Reading<SymmetricKey> {
        Reading { () throws(KeyStoreError) in
            try store.read { (rows) throws(KeyStoreError) in
                try rows.secret(of: try Self.identity(.enrollmentSecret, rows))
            }
        }
    }

    /// The device's name to the world, readable when it is locked; nil without an identity.
    public func identityThumbprint() throws(KeyStoreError) -> DeviceThumbprint? {
        try store.read { (rows) throws(KeyStoreError) in
            guard let row = try rows.storage.row(.identity, IdentityRow.Part.deviceKey.rawValue) else { return nil }
            if try rows.cipher.keys.key(.integrity) != nil { try rows.cipher.check(row) }
            return try Held<IdentityRow>(row).record.thumbprint
        }
    }

    /// Reads, judges and changes what the device holds, with nobody between; commits when the body returns.
    public func transaction<Result>(
        now: Int64 = 0, _ body: (DeviceTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.write(auditing: nil, at: now) { (rows) throws(KeyStoreError) in
            try body(try DeviceTransaction(rows, now: now))
        }
    }

    /// The same for an operation that the audit log tells of, done or refused.
    /// - Parameter subject: what it is done to.
    public func transaction<Result>(
        auditing operation: AuditOperation, _ subject: String, now: Int64,
        _ body: (DeviceTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.write(auditing: operation, subject, at: now) { (rows) throws(KeyStoreError) in
            try body(try DeviceTransaction(rows, now: now))
        }
    }

    /// As ``transaction(now:_:)``, without waiting for writers and without changing anything.
    public func reading<Result>(
        _ body: (DeviceTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.read { (rows) throws(KeyStoreError) in try body(try DeviceTransaction(rows, now: 0)) }
    }

    /// Absent and locked are told apart before anything is unwrapped.
    private static func identity(
        _ part: IdentityRow.Part, _ rows: RecordTransaction
    ) throws(KeyStoreError) -> Held<IdentityRow> {
        guard let row = try rows.find(IdentityRow.self, part.rawValue) else {
            throw KeyStoreError(.notFound, "identity", "the device has none", hint: "keyctl device new --name NAME")
        }
        return row
    }
}
