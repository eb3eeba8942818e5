import CryptoPrimitives
import EnvelopeFormat

/// Takes provisioning bundles into the keychain of a device (bundle spec, sections 6 and 7).
public struct BundleAcceptance<Keychain: DeviceKeychain>: Sendable {
    private let keychain: Keychain

    public init(keychain: Keychain) { self.keychain = keychain }

    /// Offers a JWE compact string. A bundle that is not installed changes nothing.
    ///
    /// - Parameter now: seconds since 1970.
    public func accept(_ text: [UInt8], now: Int64) -> BundleResult {
        let digest = Array(SHA256.hash(data: text))
        var bundle: ProvisioningBundle?
        let outcome: Outcome
        do {
            let opened = try open(text, now: now)
            bundle = opened
            outcome = try install(opened, digest: digest, now: now)
        } catch let refusal as Outcome {
            outcome = refusal
        } catch let error as KeychainUnavailable where error.isLocked {
            // The phone was locked between reading and writing, or the bundle's class is.
            outcome = .keyLocked
        } catch {
            outcome = .storeUnavailable
        }
        let wasJudged = outcome != .installed && outcome != .storeUnavailable
        let already = wasJudged && ((try? keychain.hasInstalled(digest: digest)) ?? false)
        return BundleResult(outcome: outcome, already: already, bundle: bundle)
    }

    private func open(_ text: [UInt8], now: Int64) throws -> ProvisioningBundle {
        let envelope = try ProvisioningBundle.envelope(text)
        guard let thumbprint = try keychain.thumbprint(), thumbprint == envelope.recipient else {
            throw Outcome.unknownKey
        }
        let key = try readable(try keychain.deviceKey())
        let secret = try readable(try keychain.enrollmentSecret())
        return try ProvisioningBundle.open(envelope, with: key, enrollmentSecret: secret, now: now)
    }

    private func readable<Value>(_ held: Held<Value>) throws -> Value {
        switch held {
        case .value(let value): value
        case .locked: throw Outcome.keyLocked
        case .absent: throw Outcome.unknownKey
        }
    }

    private func install(_ bundle: ProvisioningBundle, digest: [UInt8], now: Int64) throws -> Outcome {
        try keychain.update { records throws(KeychainUnavailable) in
            do {
                let changes = try BundleRules.changes(for: bundle, among: records, now: now)
                return (Outcome.installed, changes + [.installed(digest: digest)])
            } catch let refusal as Outcome {
                return (refusal, [])
            } catch let error as KeychainUnavailable {
                throw error
            } catch {
                throw KeychainUnavailable(reason: "a key of a wrong length is held")
            }
        }
    }
}
