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
        try change(ItemRow.subject(service, account), now) { (items) throws(KeyStoreError) in
            var held = try items.find(service, account)
            held.record.modified = now
            return [try items.setAccessibility(accessible, of: &held).map { Moved($0, to: accessible) }]
        }
    }

    /// The same for an epoch that the device holds.
    /// - Throws: `.notFound` also when its secret was erased, `.locked`, `.refused`.
    public func setAccessibility(
        _ accessible: AccessibilityClass, of kid: KeyIdentifier, now: Int64
    ) throws(KeyStoreError) {
        try change("epoch \(kid)", kid: kid, now) { (items) throws(KeyStoreError) in
            guard var held = try items.find(HeldEpochRow.self, kid.description) else {
                throw KeyStoreError(.notFound, "epoch \(kid)", "it is not held")
            }
            held.record.accessible = accessible
            return [try items.setAccessibility(accessible, of: &held).map { Moved($0, to: accessible) }]
        }
    }

    /// The same for every epoch that the device holds of a conversation and can still open with.
    /// - Returns: how many there are.
    /// - Throws: `.notFound` when there is none, `.locked` when one of them is, `.refused`.
    @discardableResult
    public func setAccessibility(
        _ accessible: AccessibilityClass, of conversation: ConversationIdentifier, now: Int64
    ) throws(KeyStoreError) -> Int {
        let subject = "conversation \(conversation)"
        return try change(subject, now) { (items) throws(KeyStoreError) in
            var moved: [Moved?] = []
            for var held in try items.epochs(of: conversation) where held.hasSecret {
                held.record.accessible = accessible
                moved.append(try items.setAccessibility(accessible, of: &held).map { Moved($0, to: accessible, held.record.kid) })
            }
            guard !moved.isEmpty else { throw KeyStoreError(.notFound, subject, "no key of it is held") }
            return moved
        }
    }

    /// The same for a key of the split profile.
    /// - Parameter name: `split:` and 8 hexadecimal digits.
    /// - Throws: `.notFound`, `.locked`, `.refused`.
    public func setAccessibility(
        _ accessible: AccessibilityClass, splitKey name: String, now: Int64
    ) throws(KeyStoreError) {
        try change(name, now) { (items) throws(KeyStoreError) in
            guard var held = try items.find(SplitKeyRow.self, name) else {
                throw KeyStoreError(.notFound, name, "it is not held")
            }
            return [try items.setAccessibility(accessible, of: &held).map { Moved($0, to: accessible) }]
        }
    }

    /// The same for the device's identity: its key and its enrollment secret.
    /// - Throws: `.notFound` when there is none, `.locked`, `.refused`.
    public func setIdentityAccessibility(_ accessible: AccessibilityClass, now: Int64) throws(KeyStoreError) {
        try change("identity", now) { (items) throws(KeyStoreError) in
            var moved: [Moved?] = []
            for part in IdentityRow.Part.allCases {
                guard var held = try items.find(IdentityRow.self, part.rawValue) else {
                    throw KeyStoreError(.notFound, "identity", "the device has none", hint: "keyctl device new --name NAME")
                }
                moved.append(try items.setAccessibility(accessible, of: &held).map { Moved($0, to: accessible) })
            }
            // The parts of an identity move together, and are one.
            return [moved.compactMap(\.self).first]
        }
    }

    /// A secret that went from one class to another.
    private struct Moved {
        let kid: KeyIdentifier?
        let reason: String

        init(_ from: AccessibilityClass, to accessible: AccessibilityClass, _ kid: KeyIdentifier? = nil) {
            self.kid = kid
            reason = "\(from.rawValue) -> \(accessible.rawValue)"
        }
    }

    /// One transaction in which secrets change class; each that did is an entry, nil stands for one that was of it already.
    /// - Parameter kid: of the epoch, where it is one.
    /// - Returns: how many there were.
    @discardableResult
    private func change(
        _ subject: String, kid: KeyIdentifier? = nil, _ now: Int64,
        _ body: (KeychainRows) throws(KeyStoreError) -> [Moved?]
    ) throws(KeyStoreError) -> Int {
        let act = AuditNote(.itemClass, subject, kid: kid)
        return try store.write(auditing: act, at: now) { (rows) throws(KeyStoreError) in
            let all = try body(KeychainRows(rows))
            rows.act = nil
            for one in all.compactMap(\.self) {
                rows.audit(.itemClass, subject, kid: one.kid ?? kid, reason: one.reason)
            }
            return all.count
        }
    }
}
