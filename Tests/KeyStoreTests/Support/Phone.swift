import CryptoPrimitives
import EnvelopeFormat

@testable import KeyStore

/// A phone that is not a store: key, secret and what bundles say.
struct Phone {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = SymmetricKey(size: .bits256)

    func document(_ name: String = "phone") throws -> EnrollmentDocument {
        try EnrollmentDocument(publicKey: key.publicKey, enrollmentSecret: secret, name: name)
    }

    var thumbprint: DeviceThumbprint { DeviceThumbprint(of: key.publicKey) }

    /// Of a device that nobody enrolled.
    static let absent = Phone().thumbprint

    func open(_ bundle: PendingBundle, now: Int64) throws -> ProvisioningBundle {
        try ProvisioningBundle.open(
            ProvisioningBundle.envelope(Array(bundle.bundle.utf8)), with: key, enrollmentSecret: secret, now: now)
    }
}
