/// What a new store is to be.
public struct StoreConfiguration: Sendable {
    /// The access group of a store that names none.
    public static let standardAccessGroup = "group.waxwing.default"

    public var role: StoreRole
    /// 1 to 64 of letters, digits, `.`, `-`, `_`; the first is a letter.
    public var accessGroup: String
    /// The unix group whose members share the store; nil for its owner alone.
    public var unixGroup: String?
    public var unlock: UnlockSecret
    /// The work of one guess of a passphrase.
    public var argon2id: Argon2idParameters
    public var defaults: StoreDefaults
    /// The file on another volume that is to be the store's anchor.
    public var anchor: String?

    public init(
        role: StoreRole, accessGroup: String = StoreConfiguration.standardAccessGroup, unixGroup: String? = nil,
        unlock: UnlockSecret, argon2id: Argon2idParameters = .standard, defaults: StoreDefaults = StoreDefaults()
    ) {
        self.role = role
        self.accessGroup = accessGroup
        self.unixGroup = unixGroup
        self.unlock = unlock
        self.argon2id = argon2id
        self.defaults = defaults
    }

    /// - Throws: `.badInput` for a name that could be anything but one directory of its own.
    static func check(accessGroup name: String) throws(KeyStoreError) {
        let isAccepted = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isAccepted, (1...64).contains(name.utf8.count), name.first?.isLetter == true else {
            throw KeyStoreError(.badInput, "access group", "1 to 64 letters, digits, dots, dashes are needed")
        }
    }
}
