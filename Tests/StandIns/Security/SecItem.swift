public import AppleTypes
internal import DeviceEmulation

/// Adds a generic password: -25299 for one that is there, -25308 where its class cannot be written now, -25291 where it
/// needs a passcode that is not there.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ItemQuery.run(attributes, "SecItemAdd") { query, items, lock in
        guard let item = query.newItem else { return errSecParam }
        guard !items.contains(where: query.hasSamePrimaryKey) else { return errSecDuplicateItem }
        guard lock != .withoutPasscode || !item.needsPasscode else { return errSecNotAvailable }
        guard ItemQuery.isReadable(item.accessible, lock) else { return errSecInteractionNotAllowed }
        items.append(item)
        return errSecSuccess
    }
}

/// Finds generic passwords: -25300 where there is none, -25308 where its data cannot be read now.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ItemQuery.run(query, "SecItemCopyMatching") { query, items, lock in
        let found = items.filter(query.matches).prefix(query.isForAll ? .max : 1)
        guard !found.isEmpty else { return errSecItemNotFound }
        guard !query.returnsData || found.allSatisfy({ ItemQuery.isReadable($0.accessible, lock) }) else {
            return errSecInteractionNotAllowed
        }
        result?.pointee = query.result(of: Array(found))
        return errSecSuccess
    }
}

/// Replaces attributes of what is found, in one step.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    ItemQuery.run(query, "SecItemUpdate") { query, items, lock in
        let indices = items.indices.filter { query.matches(items[$0]) }
        guard !indices.isEmpty else { return errSecItemNotFound }
        guard indices.allSatisfy({ ItemQuery.isReadable(items[$0].accessible, lock) }) else { return errSecInteractionNotAllowed }
        for index in indices {
            if let data = attributesToUpdate[kSecValueData] as? Data { items[index].data = data }
            if let accessible = attributesToUpdate[kSecAttrAccessible] as? String { items[index].accessible = accessible }
        }
        return errSecSuccess
    }
}

/// Removes what is found, in every lock state.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    ItemQuery.run(query, "SecItemDelete") { query, items, _ in
        let count = items.count
        items.removeAll(where: query.matches)
        return items.count == count ? errSecItemNotFound : errSecSuccess
    }
}

/// What the system has to say of a status.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    case errSecInteractionNotAllowed: "User interaction is not allowed."
    case errSecMissingEntitlement: "A required entitlement isn't present."
    default: "OSStatus \(status)" as CFString
    }
}
