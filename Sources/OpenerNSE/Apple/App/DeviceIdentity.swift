internal import CryptoPrimitives
public import EnvelopeFormat
internal import Foundation
internal import OpenerNSE

/// Who a phone is to its backend: a key and an enrollment secret that never leave it but in the enrollment document. It is made
/// once, in the app, and never replaced.
public struct DeviceIdentity: Sendable {
    private let parts: DeviceParts
    private let directory: ContainerDirectory

    init(_ parts: DeviceParts, _ directory: ContainerDirectory) {
        self.parts = parts
        self.directory = directory
    }

    /// The device's name to the world; nil before there is an identity.
    /// - Throws: ``DeviceSetupError/keychain(_:)``, locked before the first unlock.
    public func thumbprint() throws(DeviceSetupError) -> DeviceThumbprint? {
        do { return try parts.keychain.thumbprint() } catch {
            if let lost = try lostThumbprint() { throw .identityLost(lost) }
            throw .keychain(error)
        }
    }

    /// Makes the identity.
    /// - Parameters:
    ///   - name: 1 to 128 bytes, for people.
    ///   - replacingLost: whether to begin anew where the container tells of an identity that the keychain does not have, after
    ///     a phone was restored from another's backup. The backend has to be told.
    /// - Returns: the document to be sent to the backend, over the app's own authenticated channel.
    /// - Throws: `identityExists`, `identityLost`, `keychain`, `container`, `badInput`.
    public func make(name: String, replacingLost: Bool = false) throws(DeviceSetupError) -> EnrollmentDocument {
        let isLost = try lostThumbprint()
        if let isLost, !replacingLost { throw .identityLost(isLost) }
        var result: Result<EnrollmentDocument, DeviceSetupError>?
        do throws(KeychainUnavailable) {
            try parts.keychain.whileLocked { () throws(KeychainUnavailable) in
                do throws(DeviceSetupError) { result = .success(try make(name, beginsAnew: isLost != nil)) } catch {
                    result = .failure(error)
                }
            }
        } catch {
            throw .keychain(error)
        }
        guard let result else { throw .noIdentity }
        return try result.get()
    }

    /// The document again, for a backend that has lost it or never got it.
    /// - Throws: `noIdentity`, `keychain`.
    public func enrollmentDocument() throws(DeviceSetupError) -> EnrollmentDocument {
        do {
            guard let identity = try parts.keychain.ledger().identity else { throw DeviceSetupError.noIdentity }
            switch try parts.keychain.enrollmentSecret() {
            case .absent: throw DeviceSetupError.noIdentity
            case .locked: throw KeychainUnavailable(reason: "the enrollment secret is locked", isLocked: true)
            case .value(let secret):
                return try EnrollmentDocument(
                    publicKey: try P256.KeyAgreement.PublicKey(x963Representation: identity.publicKey), enrollmentSecret: secret,
                    name: identity.name)
            }
        } catch let error as DeviceSetupError {
            throw error
        } catch let error as KeychainUnavailable {
            throw .keychain(error)
        } catch {
            throw .keychain(KeychainUnavailable(reason: "the identity is damaged"))
        }
    }

    /// Both items are there before the ledger names them, and the record of opened messages before both.
    private func make(_ name: String, beginsAnew: Bool) throws(DeviceSetupError) -> EnrollmentDocument {
        do {
            var ledger = beginsAnew ? KeychainLedger() : try parts.keychain.ledger()
            if let thumbprint = ledger.identity?.thumbprint { throw DeviceSetupError.identityExists(thumbprint) }
            let (key, publicKey) = try Self.key()
            let secret = SymmetricKey(size: .bits256)
            let document = try EnrollmentDocument(publicKey: publicKey, enrollmentSecret: secret, name: name)
            let identity = LedgerIdentity(
                publicKey: Array(publicKey.x963Representation), name: name, keyItem: UUID().uuidString,
                secretItem: UUID().uuidString)
            try parts.replays.begin()
            try parts.keychain.store.add(identity.keyItem, key, SecItemKeychain.ownClass)
            try parts.keychain.store.add(identity.secretItem, secret, SecItemKeychain.ownClass)
            ledger.identity = identity
            try parts.keychain.write(ledger)
            parts.keychain.removeOrphans(beside: ledger)
            try mark(document.thumbprint)
            return document
        } catch let error as DeviceSetupError {
            throw error
        } catch let error as KeychainUnavailable {
            throw .keychain(error)
        } catch let error as ContainerError {
            throw .container(error)
        } catch let error as FormatError {
            throw .badInput(error)
        } catch {
            throw .keychain(KeychainUnavailable(reason: "no key could be made"))
        }
    }

    /// Tells the extension where to look. An app calls it at each start, as the container goes with the app and the keychain
    /// does not.
    func mark(_ thumbprint: DeviceThumbprint) throws(ContainerError) {
        let mark = EnrollmentMark(thumbprint: thumbprint, keychainGroup: parts.settings.keychainGroup)
        guard EnrollmentMark.read(directory) != mark else { return }
        try mark.write(directory)
    }

    /// The identity that the container tells of and the keychain does not have; nil in every other case.
    private func lostThumbprint() throws(DeviceSetupError) -> DeviceThumbprint? {
        do throws(KeychainUnavailable) {
            guard case .absent = try parts.keychain.store.data(SecItemKeychain.ledgerAccount, .ledger) else { return nil }
        } catch {
            throw .keychain(error)
        }
        return EnrollmentMark.read(directory)?.thumbprint
    }

    private static func key() throws -> (SymmetricKey, P256.KeyAgreement.PublicKey) {
        // One draw in 2^32 is no scalar of the curve.
        for _ in 0..<8 {
            let raw = SymmetricKey(size: .bits256)
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: raw) { return (raw, key.publicKey) }
        }
        throw KeychainUnavailable(reason: "no key can be drawn")
    }
}
