public import CryptoPrimitives
public import EnvelopeFormat

/// The keychain of an emulated phone: generic passwords of one access group, with Apple's rules and words.
///
/// Of four answers none is ever mistaken for another: not there, there already, there but locked away, not for this
/// caller (``KeyStoreError/keychainStatus``). A failed read changes nothing. What is done while the phone is locked is in
/// `docs/decisions/0012-keychain-items.md`.
public struct Keychain: Sendable {
    /// The lengths of a value, in bytes.
    public static let valueByteCounts = 1...65_536
    /// The longest service, account and label, in bytes of UTF-8.
    public static let maximumNameByteCount = 1_024

    public let store: Store

    /// - Throws: `.wrongRole` for a sealer store.
    public init(_ store: Store) throws(KeyStoreError) {
        guard store.role == .device else {
            throw KeyStoreError(.wrongRole, store.directory, "it is a sealer store, and a keychain is a device's")
        }
        self.store = store
    }

    /// `SecItemAdd`. The class is Apple's default unless another is given.
    /// - Throws: `.locked` when the class cannot be written now, `.alreadyExists`, `.refused` for
    ///   `when-passcode-set-this-device-only` while no passcode is set, `.badInput`.
    public func add(
        service: String, account: String, value: SymmetricKey, accessible: AccessibilityClass = .whenUnlocked,
        label: String = "", now: Int64
    ) throws(KeyStoreError) {
        let subject = ItemRow.subject(service, account)
        try store.write(auditing: .itemAdd, subject, at: now) { (rows) throws(KeyStoreError) in
            try Self.check(service, account, label)
            try Self.check(value)
            let items = KeychainRows(rows)
            try items.requireWritable(accessible, subject)
            guard try rows.find(ItemRow.self, ItemRow.identifier(service: service, account: account)) == nil else {
                throw KeyStoreError(.alreadyExists, subject, "it is there already")
            }
            try rows.insert(
                ItemRow(service: service, account: account, label: label, created: now), secret: value,
                under: ClassKeyName(accessible))
            rows.act?.reason = accessible.rawValue
            rows.noteKeyChange()
        }
    }

    /// `SecItemCopyMatching` of one item with `kSecReturnData`.
    /// - Throws: `.notFound`, `.locked`, `.damaged`.
    public func get(service: String, account: String) throws(KeyStoreError) -> KeychainItem {
        try Self.check(service, account)
        return try store.read { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            return try item(try items.find(service, account), in: items, withValue: true)
        }
    }

    /// `SecItemCopyMatching` of every item of a service, or of the access group, ordered by service and account.
    ///
    /// One among them that cannot be read in this lock state fails all of it, also without values.
    /// - Parameter returningValues: `kSecReturnData`; without, attributes alone are read.
    /// - Throws: `.notFound` when nothing matches, `.locked`, `.damaged`.
    public func search(
        service: String? = nil, returningValues: Bool = false
    ) throws(KeyStoreError) -> [KeychainItem] {
        if let service { try Self.check(service) }
        return try store.read { (rows) throws(KeyStoreError) in
            let items = KeychainRows(rows)
            var found: [KeychainItem] = []
            for held in try items.items(of: service) {
                found.append(try item(held, in: items, withValue: returningValues))
            }
            guard !found.isEmpty else {
                throw KeyStoreError(.notFound, service.map { "service \($0)" } ?? accessGroup, "there is no item")
            }
            return found.sorted { ($0.service, $0.account) < ($1.service, $1.account) }
        }
    }

    /// `SecItemUpdate`: another value, another label, or both; the class by ``setAccessibility(_:service:account:now:)``.
    /// - Parameters:
    ///   - value: nil leaves it.
    ///   - label: nil leaves it, empty takes it away.
    /// - Throws: `.notFound`, `.locked`, `.badInput` when there is nothing to change.
    public func update(
        service: String, account: String, value: SymmetricKey? = nil, label: String? = nil, now: Int64
    ) throws(KeyStoreError) {
        try store.write(auditing: .itemUpdate, ItemRow.subject(service, account), at: now) { (rows) throws(KeyStoreError) in
            try Self.check(service, account, label ?? "")
            if let value { try Self.check(value) }
            if case (nil, nil) = (value, label) {
                throw KeyStoreError(.badInput, "update", "neither a value nor a label is given")
            }
            rows.act?.reason = [value.map { _ in "value" }, label.map { _ in "label" }].compactMap(\.self)
                .joined(separator: " and ")
            let items = KeychainRows(rows)
            var held = try items.find(service, account)
            let accessible = try items.readableClass(of: held)
            if let label { held.record.label = label }
            held.record.modified = now
            if let value {
                try rows.update(&held, secret: value, under: ClassKeyName(accessible))
            } else {
                try rows.update(&held)
            }
            rows.noteKeyChange()
        }
    }

    /// `SecItemDelete` of one item. It can be deleted while its value is locked away, as it can on an iPhone.
    /// - Parameter now: nil for the system's clock.
    /// - Throws: `.notFound`, `.locked` before the first unlock.
    public func delete(service: String, account: String, now: Int64? = nil) throws(KeyStoreError) {
        try store.write(auditing: .itemDelete, ItemRow.subject(service, account), at: now) { (rows) throws(KeyStoreError) in
            try Self.check(service, account)
            try rows.delete(try KeychainRows(rows).find(service, account))
            rows.noteKeyChange()
        }
    }

    /// `kSecAttrAccessGroup`
    public var accessGroup: String { store.accessGroup }

    private func item(
        _ held: Held<ItemRow>, in items: KeychainRows, withValue: Bool
    ) throws(KeyStoreError) -> KeychainItem {
        let accessible = try items.readableClass(of: held)
        return KeychainItem(
            service: held.record.service, account: held.record.account, accessGroup: accessGroup,
            accessible: accessible, label: held.record.label,
            created: held.record.created, modified: held.record.modified,
            value: withValue ? try items.rows.secret(of: held) : nil)
    }

    private static func check(_ names: String...) throws(KeyStoreError) {
        for name in names where name.utf8.count > maximumNameByteCount || name.utf8.contains(0) {
            throw KeyStoreError(
                .badInput, "item", "service, account and label have \(maximumNameByteCount) bytes at most and no NUL")
        }
    }

    private static func check(_ value: SymmetricKey) throws(KeyStoreError) {
        guard valueByteCounts.contains(value.bitCount / 8) else {
            throw KeyStoreError(
                .badInput, "value", "\(value.bitCount / 8) bytes where 1 to \(valueByteCounts.upperBound) are needed")
        }
    }
}
