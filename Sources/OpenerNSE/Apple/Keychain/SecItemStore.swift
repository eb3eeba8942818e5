internal import CryptoPrimitives
internal import EnvelopeFormat
internal import Foundation
internal import OpenerNSE
internal import Security
internal import os

/// Generic passwords of one access group, never synchronized, one call of the system's each.
///
/// What the system answers is told apart and logged with its code: -25300 is absent, -25308 is locked, all else is a failure.
struct SecItemStore: Sendable {
    /// The kinds of items, by their `kSecAttrService`.
    enum Service: String, Sendable {
        case ledger = "waxwing.ledger"
        case secret = "waxwing.secret"
    }

    let group: String
    let log: Logger

    func data(_ account: String, _ service: Service) throws(KeychainUnavailable) -> Held<Data> {
        var query = query(service, account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        switch status {
        case errSecSuccess:
            guard let data = item as? Data else { throw failure(errSecDecode, "SecItemCopyMatching", service) }
            return .value(data)
        case errSecItemNotFound: return .absent
        case errSecInteractionNotAllowed:
            _ = failure(status, "SecItemCopyMatching", service)
            return .locked
        default: throw failure(status, "SecItemCopyMatching", service)
        }
    }

    func key(_ account: String) throws(KeychainUnavailable) -> Held<SymmetricKey> {
        switch try data(account, .secret) {
        case .value(var data):
            defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
            return .value(SymmetricKey(data: data))
        case .absent: return .absent
        case .locked: return .locked
        }
    }

    func add(
        _ account: String, _ service: Service, _ data: Data, _ accessible: AccessibilityClass
    ) throws(KeychainUnavailable) {
        var attributes = query(service, account)
        attributes[kSecAttrAccessible as String] = accessible.attribute
        attributes[kSecValueData as String] = data
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecSuccess else { throw failure(status, "SecItemAdd", service) }
    }

    func add(_ account: String, _ key: SymmetricKey, _ accessible: AccessibilityClass) throws(KeychainUnavailable) {
        var data = key.withUnsafeBytes { Data($0) }
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        try add(account, .secret, data, accessible)
    }

    func replace(_ account: String, _ service: Service, _ data: Data) throws(KeychainUnavailable) {
        let change = [kSecValueData as String: data]
        let status = SecItemUpdate(query(service, account) as CFDictionary, change as CFDictionary)
        guard status == errSecSuccess else { throw failure(status, "SecItemUpdate", service) }
    }

    /// One that is not there is no error.
    func remove(_ account: String, _ service: Service) throws(KeychainUnavailable) {
        let status = SecItemDelete(query(service, account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status, "SecItemDelete", service) }
    }

    /// The accounts of all items of a kind.
    func accounts(_ service: Service) throws(KeychainUnavailable) -> [String] {
        var query = query(service, nil)
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        guard status != errSecItemNotFound else { return [] }
        guard status == errSecSuccess, let items = found as? [[String: Any]] else {
            throw failure(status, "SecItemCopyMatching", service)
        }
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    private func query(_ service: Service, _ account: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service.rawValue,
            kSecAttrAccessGroup as String: group,
            kSecAttrSynchronizable as String: false,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let account { query[kSecAttrAccount as String] = account }
        return query
    }

    private func failure(_ status: OSStatus, _ call: String, _ service: Service) -> KeychainUnavailable {
        let reason =
            switch status {
            case errSecInteractionNotAllowed: "the item is locked"
            case errSecMissingEntitlement: "this process is not entitled to the access group; look at keychain-access-groups"
            case errSecDuplicateItem: "there is such an item already"
            case errSecItemNotFound: "the item is not there"
            default: SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "no message"
            }
        if status == errSecInteractionNotAllowed {
            log.notice("\(call, privacy: .public) \(service.rawValue, privacy: .public): \(status) \(reason, privacy: .public)")
        } else {
            log.error(
                "\(call, privacy: .public) \(service.rawValue, privacy: .public) in \(group, privacy: .public): \(status) \(reason, privacy: .public)"
            )
        }
        return KeychainUnavailable(
            reason: "\(call) \(service.rawValue): \(status), \(reason)", isLocked: status == errSecInteractionNotAllowed)
    }
}
