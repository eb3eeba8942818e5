public import EnvelopeFormat

/// Class migration: what is held moves to another accessibility class, all of it in one transaction or nothing.
///
/// It takes the phone to be unlocked as far as both classes need: the secret is unwrapped and wrapped anew, and the old
/// wrap is erased from the files. Nothing else about it changes.
extension Keychain {
    /// `SecItemUpdate` of `kSecAttrAccessible` for an item.
    /// - Throws: `.notFound`, `.locked`, `.refused` for `when-passcode-set-this-device-only` without a passcode.
    public func setAccessibility(
        _ accessible: AccessibilityClass, service: String, account: String, now: Int64
    ) throws(KeyStoreError) {
        try store.write { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            var held = try items.find(service, account)
            held.record.modified = now
            try items.setAccessibility(accessible, of: &held)
        }
    }

    /// The same for an epoch that the device holds.
    /// - Throws: `.notFound` also when its secret was erased, `.locked`, `.refused`.
    public func setAccessibility(
        _ accessible: AccessibilityClass, of kid: KeyIdentifier, now: Int64
    ) throws(KeyStoreError) {
        try store.write { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            guard var held = try items.find(HeldEpochRow.self, kid.description) else {
                throw KeyStoreError(.notFound, "epoch \(kid)", "it is not held")
            }
            held.record.accessible = accessible
            try items.setAccessibility(accessible, of: &held)
        }
    }

    /// The same for every epoch that the device holds of a conversation and can still open with.
    /// - Returns: how many there are.
    /// - Throws: `.notFound` when there is none, `.locked` when one of them is, `.refused`.
    @discardableResult
    public func setAccessibility(
        _ accessible: AccessibilityClass, of conversation: ConversationIdentifier, now: Int64
    ) throws(KeyStoreError) -> Int {
        try store.write { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            var count = 0
            for var held in try items.epochs(of: conversation) where held.hasSecret {
                held.record.accessible = accessible
                try items.setAccessibility(accessible, of: &held)
                count += 1
            }
            guard count > 0 else {
                throw KeyStoreError(.notFound, "conversation \(conversation)", "no key of it is held")
            }
            return count
        }
    }

    /// The same for a key of the split profile.
    /// - Parameter name: `split:` and 8 hexadecimal digits.
    /// - Throws: `.notFound`, `.locked`, `.refused`.
    public func setAccessibility(
        _ accessible: AccessibilityClass, splitKey name: String, now: Int64
    ) throws(KeyStoreError) {
        try store.write { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            guard var held = try items.find(SplitKeyRow.self, name) else {
                throw KeyStoreError(.notFound, name, "it is not held")
            }
            try items.setAccessibility(accessible, of: &held)
        }
    }

    /// The same for the device's identity: its key and its enrollment secret.
    /// - Throws: `.notFound` when there is none, `.locked`, `.refused`.
    public func setIdentityAccessibility(_ accessible: AccessibilityClass, now: Int64) throws(KeyStoreError) {
        try store.write { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            for part in IdentityRow.Part.allCases {
                guard var held = try items.find(IdentityRow.self, part.rawValue) else {
                    throw KeyStoreError(.notFound, "identity", "the device has none", hint: "keyctl device new")
                }
                try items.setAccessibility(accessible, of: &held)
            }
        }
    }
}
