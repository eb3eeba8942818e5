/// What the keychain answers, with Apple's names and numbers (`OSStatus` of Security.framework, `SecBase.h`).
public enum KeychainStatus: Int32, Error, Sendable, CaseIterable {
    case success = 0
    /// The disk is full.
    case diskFull = -34
    case inputOutput = -36
    /// Another process is writing.
    case busy = -49
    /// An argument is not accepted.
    case parameter = -50
    /// The files cannot be written.
    case writePermission = -61
    /// There is no keychain of that name here, or none that this program can use.
    case notAvailable = -25291
    /// The passcode is wrong, or none is set and the item needs one.
    case authenticationFailed = -25293
    case duplicateItem = -25299
    case itemNotFound = -25300
    /// It is there, but not to be read in this lock state.
    case interactionNotAllowed = -25308
    /// What is there is damaged.
    case decode = -26275
    /// The caller is not in the access group.
    case missingEntitlement = -34018

    /// Apple's name of it: `errSecItemNotFound`.
    public var name: String {
        switch self {
        case .success: "errSecSuccess"
        case .diskFull: "errSecDiskFull"
        case .inputOutput: "errSecIO"
        case .busy: "errSecOpWr"
        case .parameter: "errSecParam"
        case .writePermission: "errSecWrPerm"
        case .notAvailable: "errSecNotAvailable"
        case .authenticationFailed: "errSecAuthFailed"
        case .duplicateItem: "errSecDuplicateItem"
        case .itemNotFound: "errSecItemNotFound"
        case .interactionNotAllowed: "errSecInteractionNotAllowed"
        case .decode: "errSecDecode"
        case .missingEntitlement: "errSecMissingEntitlement"
        }
    }
}

extension KeychainStatus: CustomStringConvertible {
    /// `-25308 errSecInteractionNotAllowed`
    public var description: String { "\(rawValue) \(name)" }
}

extension KeyStoreError {
    /// What Apple's keychain would answer: the one place where the kinds of failure become codes.
    public var keychainStatus: KeychainStatus {
        switch kind {
        case .notFound: .itemNotFound
        case .alreadyExists, .conflict: .duplicateItem
        case .locked: .interactionNotAllowed
        case .authenticationFailed, .refused: .authenticationFailed
        case .damaged: .decode
        case .permission: .missingEntitlement
        case .badInput: .parameter
        case .full: .diskFull
        case .readOnly, .cannotCreate: .writePermission
        case .inputOutput: .inputOutput
        case .busy: .busy
        case .unavailable, .wrongRole, .schemaFromTheFuture: .notAvailable
        }
    }
}
