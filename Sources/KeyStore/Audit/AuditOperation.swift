/// What an audit entry tells of.
public enum AuditOperation: String, Sendable, CaseIterable {
    /// `init`: the store was made, or an older one was given its log.
    case founding = "init"
    case unlock, lock, defaults

    case deviceEnroll = "device-enroll"
    case deviceRemove = "device-remove"
    case provision
    case memberAdd = "member-add"
    case memberRemove = "member-remove"
    case ratchet, rekey, promote, suspend, resume, revoke, retire
    /// The bytes of a key were erased.
    case destroy
    /// A key went from one state to another.
    case keyState = "key-state"
    case bundleIssue = "bundle-issue"
    case bundleAcknowledge = "bundle-acknowledge"
    /// Seals were granted to a process.
    case lease
    /// What became of a lease: how many of its seals were used.
    case leaseEnd = "lease-end"

    /// A raw key left the store.
    case splitExport = "split-export"
    case splitAdd = "split-add"
    case splitAllow = "split-allow"
    case splitDeny = "split-deny"
    case identity, accept
    /// A device kept an epoch.
    case epochKeep = "epoch-keep"

    case itemAdd = "item-add"
    case itemUpdate = "item-update"
    case itemDelete = "item-delete"
    /// What is held went to another accessibility class.
    case itemClass = "item-class"
    /// A passcode was set or removed.
    case passcode

    /// What unlocks the store was replaced.
    case rewrap
    /// The class keys are being replaced, or were.
    case classKey = "class-key"
    case backup, restore, migrate, anchor, checkpoint
}
