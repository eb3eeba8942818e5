internal import EnvelopeFormat

/// The rules by which rows with a secret are found, read and written as items, inside one transaction.
///
/// That something is not there is told in every lock state, as an iPhone tells it; whether what is there is as it was
/// written, from the first unlock on.
struct KeychainRows {
    let rows: RecordTransaction

    init(_ rows: RecordTransaction) { self.rows = rows }

    /// - Throws: `.notFound`, `.locked` before the first unlock, `.damaged`.
    func find(_ service: String, _ account: String) throws(KeyStoreError) -> Held<ItemRow> {
        guard let held = try find(ItemRow.self, ItemRow.identifier(service: service, account: account)) else {
            throw KeyStoreError(.notFound, ItemRow.subject(service, account), "there is no such item")
        }
        return held
    }

    /// Nil when it is not there.
    /// - Throws: `.locked` before the first unlock, `.damaged`.
    func find<R: Record>(_: R.Type, _ identifier: String) throws(KeyStoreError) -> Held<R>? {
        guard let row = try rows.storage.row(R.table, identifier) else { return nil }
        try requireUnlockedOnce(row.subject)
        return try rows.find(R.self, identifier)
    }

    /// The items of a service, or all there are.
    func items(of service: String?) throws(KeyStoreError) -> [Held<ItemRow>] {
        let matches = service.map { [Match.equal("service", $0)] } ?? []
        guard try !rows.storage.rows(.item, matches, limit: 1).isEmpty else { return [] }
        try requireUnlockedOnce(service.map { "service \($0)" } ?? "keychain")
        if let service { return try rows.all(ItemRow.self, .equal("service", service)) }
        return try rows.all(ItemRow.self)
    }

    /// The epochs held of a conversation, with a secret or without.
    func epochs(of conversation: ConversationIdentifier) throws(KeyStoreError) -> [Held<HeldEpochRow>] {
        let match = Match.equal("conversation", conversation.string)
        guard try !rows.storage.rows(.heldEpoch, [match], limit: 1).isEmpty else { return [] }
        try requireUnlockedOnce("conversation \(conversation)")
        return try rows.all(HeldEpochRow.self, match)
    }

    /// The class of a row's secret, whose key is at hand.
    /// - Throws: `.locked` when it is not, `.damaged`, `.notFound` when the secret is gone.
    func readableClass<R: Record>(of held: Held<R>) throws(KeyStoreError) -> AccessibilityClass {
        guard let secret = held.row.secret else {
            throw KeyStoreError(.notFound, held.row.subject, "its secret is gone")
        }
        guard let accessible = AccessibilityClass(rawValue: secret.classKey) else {
            throw KeyStoreError(.damaged, held.row.subject, "it is of no accessibility class")
        }
        guard try rows.cipher.keys.key(ClassKeyName(accessible)) != nil else {
            throw locked(held.row.subject, accessible)
        }
        return accessible
    }

    /// That a secret can be written under that class now.
    /// - Throws: `.locked`; `.refused` for a class that needs a passcode while none is set.
    func requireWritable(_ accessible: AccessibilityClass, _ subject: String) throws(KeyStoreError) {
        try requireUnlockedOnce(subject)
        if accessible == .whenPasscodeSetThisDeviceOnly, try rows.hasNoPasscode() {
            throw KeyStoreError(
                .refused, subject, "no passcode is set, and \(accessible.rawValue) needs one", hint: "set a passcode")
        }
        guard try rows.cipher.keys.key(ClassKeyName(accessible)) != nil else { throw locked(subject, accessible) }
    }

    /// Puts a secret under another class, and writes the record as it was changed.
    /// - Returns: the class it had; nil where it is of that class already, and nothing was written.
    /// - Throws: `.locked` when it cannot be read now, or not be written under the other class, `.refused`.
    @discardableResult
    func setAccessibility<R: Record>(
        _ accessible: AccessibilityClass, of held: inout Held<R>
    ) throws(KeyStoreError) -> AccessibilityClass? {
        let former = try readableClass(of: held)
        guard former != accessible else { return nil }
        try requireWritable(accessible, held.row.subject)
        let secret = try rows.secret(of: held)
        try rows.update(&held, secret: secret, under: ClassKeyName(accessible))
        return former
    }

    private func requireUnlockedOnce(_ subject: String) throws(KeyStoreError) {
        guard try rows.cipher.keys.key(.integrity) != nil else {
            throw KeyStoreError(.locked, subject, "the phone was not unlocked since it started", hint: "keyctl unlock")
        }
    }

    private func locked(_ subject: String, _ accessible: AccessibilityClass) -> KeyStoreError {
        KeyStoreError(.locked, subject, "the phone is locked, and it is \(accessible.rawValue)", hint: "keyctl unlock")
    }
}
