internal import EnvelopeFormat

/// What a backup takes of a table.
enum BackupRule {
    /// Rows are of this store, or of what happens in it, and mean nothing in another: nothing is lost without them.
    case staysBehind
    /// Rows are of this device alone: what was restored of a backup goes without them.
    case staysOnDevice
    case enters
    /// A row enters, with its secret, unless a column names a class of this device alone. (Whatever the table, no row
    /// enters whose secret is under such a class.)
    case entersByClass(column: String)
}

extension Table {
    /// Whether any row of it may be in a backup.
    var entersBackup: Bool {
        switch backupRule {
        case .staysBehind, .staysOnDevice: false
        case .enters, .entersByClass: true
        }
    }

    /// Whether rows of this kind enter a backup: the one place where it is said.
    var backupRule: BackupRule {
        switch self {
        // The restored store has its own.
        case .store, .slot, .classKey, .digest, .anchor: .staysBehind
        // A rotation that was under way is begun anew.
        case .rotationRun: .staysBehind
        // Leases are of processes of this store; what they leased is in the counter.
        case .lease: .staysBehind
        // There is one device of an identity; split keys were given to that device by hand, in its class.
        case .identity, .splitKey: .staysOnDevice
        case .serviceKey, .device, .sequence, .conversation, .conversationSecret, .member, .bundle, .replacement:
            .enters
        case .deviceState, .installedBundle, .replay, .item: .enters
        // What was done goes on being told: the log is the same, and its next entry says that it was restored.
        case .auditLog, .auditEntry, .handleUse: .enters
        case .heldEpoch: .entersByClass(column: "accessible")
        }
    }

    /// Whether that row stays behind although its table enters.
    func staysBehind(_ row: StoredRow) -> Bool {
        if let name = row.secret?.classKey, ClassKeyName(rawValue: name)?.isThisDeviceOnly != false { return true }
        guard case .entersByClass(let column) = backupRule,
            let index = columns.firstIndex(where: { $0.name == column }), case .text(let name) = row.values[index]
        else { return false }
        return AccessibilityClass(rawValue: name)?.isThisDeviceOnly != false
    }
}

extension ClassKeyName {
    var isThisDeviceOnly: Bool { AccessibilityClass(rawValue: rawValue)?.isThisDeviceOnly ?? true }
}
