public import EnvelopeFormat
public import OpenerNSE

/// Why an app cannot enroll, or cannot work with what it shares with its extension.
public enum DeviceSetupError: Error, Equatable, Sendable {
    /// The process has no container of that App Group: the entitlement `com.apple.security.application-groups` lacks it.
    case noContainer(appGroup: String)
    case container(ContainerError)
    case keychain(KeychainUnavailable)
    /// There is an identity, and it is never replaced.
    case identityExists(DeviceThumbprint)
    /// The container tells of an identity that the keychain does not have: another access group, or the phone is another one.
    case identityLost(DeviceThumbprint)
    /// There is none yet.
    case noIdentity
    /// A name that cannot be.
    case badInput(FormatError)
    case templates(TemplateError)
    /// A split key that is held for something else, is the secret of a conversation, or was given up.
    case splitKeyConflict
}

extension DeviceSetupError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noContainer(let group): "App Group \(group): no container; look at com.apple.security.application-groups"
        case .container(let error): error.description
        case .templates(let error): error.description
        case .keychain(let error): error.description
        case .identityExists(let thumbprint): "the device has the identity \(thumbprint)"
        case .identityLost(let thumbprint): "the identity \(thumbprint) was enrolled here, and the keychain does not have it"
        case .noIdentity: "the device has no identity yet"
        case .badInput(let error): error.description
        case .splitKeyConflict: "the split key is held for something else, or was given up"
        }
    }
}
