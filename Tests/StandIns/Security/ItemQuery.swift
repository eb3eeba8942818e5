internal import AppleTypes
internal import DeviceEmulation

/// A dictionary of attributes, as far as the stand-in understands it; what it does not is -50.
struct ItemQuery {
    private static let known: Set<String> = Set(
        [
            kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrAccessible, kSecAttrSynchronizable,
            kSecUseDataProtectionKeychain, kSecValueData, kSecReturnData, kSecReturnAttributes, kSecMatchLimit,
        ].map { $0 as String })
    private let values: [String: Any]

    private init?(_ dictionary: CFDictionary) {
        guard let values = dictionary as? [String: Any], Set(values.keys).isSubset(of: Self.known),
            values[kSecClass as String] as? String == kSecClassGenericPassword as String
        else { return nil }
        self.values = values
    }

    /// Finds the phone by the access group; without one, there is no phone whose process is entitled to anything.
    static func run(
        _ dictionary: CFDictionary, _ name: String, _ body: (ItemQuery, inout [EmulatedItem], DeviceLock) -> OSStatus
    ) -> OSStatus {
        guard let query = ItemQuery(dictionary) else { return errSecParam }
        guard let group = query.text(kSecAttrAccessGroup), let device = EmulatedDevice.holding(keychain: group) else {
            return errSecMissingEntitlement
        }
        return device.call(name) { items, lock in body(query, &items, lock) }
    }

    static func isReadable(_ accessible: String, _ lock: DeviceLock) -> Bool {
        switch lock {
        case .unlocked, .withoutPasscode: true
        case .locked: accessible.hasPrefix("ck")
        case .beforeFirstUnlock: false
        }
    }

    private func text(_ key: CFString) -> String? { values[key as String] as? String }
    private func isSet(_ key: CFString) -> Bool { values[key as String] as? Bool ?? false }

    var returnsData: Bool { isSet(kSecReturnData) }
    var isForAll: Bool { text(kSecMatchLimit) == kSecMatchLimitAll as String }

    var newItem: EmulatedItem? {
        guard let data = values[kSecValueData as String] as? Data, let group = text(kSecAttrAccessGroup) else { return nil }
        return EmulatedItem(
            group: group, service: text(kSecAttrService) ?? "", account: text(kSecAttrAccount) ?? "",
            accessible: text(kSecAttrAccessible) ?? kSecAttrAccessibleWhenUnlocked as String,
            isSynchronizable: isSet(kSecAttrSynchronizable), isDataProtected: isSet(kSecUseDataProtectionKeychain), data: data)
    }

    func hasSamePrimaryKey(_ item: EmulatedItem) -> Bool {
        item.group == text(kSecAttrAccessGroup) && item.service == text(kSecAttrService) ?? ""
            && item.account == text(kSecAttrAccount) ?? ""
            && item.isSynchronizable == isSet(kSecAttrSynchronizable)
    }

    func matches(_ item: EmulatedItem) -> Bool {
        func agrees(_ key: CFString, _ value: String) -> Bool { text(key).map { $0 == value } ?? true }
        return agrees(kSecAttrAccessGroup, item.group) && agrees(kSecAttrService, item.service)
            && agrees(kSecAttrAccount, item.account) && agrees(kSecAttrAccessible, item.accessible)
            && item.isSynchronizable == isSet(kSecAttrSynchronizable)
    }

    func result(of items: [EmulatedItem]) -> CFTypeRef? {
        let each: [Any] = items.map { item in
            guard isSet(kSecReturnAttributes) else { return item.data }
            var attributes: [String: Any] = [
                kSecAttrAccessGroup as String: item.group, kSecAttrService as String: item.service,
                kSecAttrAccount as String: item.account, kSecAttrAccessible as String: item.accessible,
            ]
            if returnsData { attributes[kSecValueData as String] = item.data }
            return attributes
        }
        if isForAll { return each as NSArray }
        if let data = each.first as? Data { return data as NSData }
        return (each.first as? [String: Any]).map { $0 as NSDictionary }
    }
}
