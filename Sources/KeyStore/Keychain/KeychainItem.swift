public import CryptoPrimitives
public import EnvelopeFormat

/// A generic password of the keychain (`kSecClassGenericPassword`), as it was when it was read.
public struct KeychainItem: Sendable {
    /// `kSecAttrService`
    public let service: String
    /// `kSecAttrAccount`
    public let account: String
    /// `kSecAttrAccessGroup`
    public let accessGroup: String
    /// `kSecAttrAccessible`
    public let accessible: AccessibilityClass
    /// `kSecAttrLabel`; empty for none.
    public let label: String
    /// `kSecAttrCreationDate`, in seconds since 1970.
    public let created: Int64
    /// `kSecAttrModificationDate`, in seconds since 1970.
    public let modified: Int64
    /// `kSecValueData`, in memory that is wiped; nil when it was not asked for.
    public let value: SymmetricKey?
}
