import BackendJSON
import EnvelopeFormat
import KeyStore

/// What `restore` prints: the store, and what the operator must do next.
enum RestoreView {
    static func view(of restored: RestoredStore, in store: Store) throws -> View {
        let anchor = try store.anchorPath()
        let next = next(restored, store)
        var lines = [
            "\(store.role.rawValue) store \(store.directory), \(store.identifier)",
            "restored \(restored.contents.rowCount) rows of \(Timestamp.text(restored.contents.created))",
        ]
        if store.role == .sealer {
            lines.append("secrets stepped 64 epochs ahead \(restored.steppedCount)")
            if restored.replacedCount > 0 {
                lines.append("conversations under a fresh secret, for want of epochs \(restored.replacedCount)")
            }
        }
        lines.append(anchor.map { "anchor \($0)" } ?? "no anchor: that an older copy is put back goes unseen")
        let json = JSONValue.members([
            "store": .string(store.directory), "identifier": .string(store.identifier),
            "role": .string(store.role.rawValue), "access_group": .string(store.accessGroup),
            "backup_created": .integer(restored.contents.created), "rows": .integer(restored.contents.rowCount),
            "stepped": .integer(restored.steppedCount), "replaced": .integer(restored.replacedCount),
            "split_keys": .integer(restored.splitCount), "anchor": anchor.map { .string($0) } ?? .null, "next": .list(next) { .string($0) },
        ])
        return View(lines: lines + next, json: json)
    }

    private static func next(_ restored: RestoredStore, _ store: Store) -> [String] {
        guard store.role == .sealer else {
            return [
                "make a new identity with device new and enroll it in the place of the old: device enroll --replaces",
                "ask for new bundles: keys of this device alone did not come along",
            ]
        }
        var lines = [
            "never seal from the old store again: both would use the same keys",
            "do again what was done since the backup: devices and members removed, conversations revoked, suspended or "
                + "provisioned, devices enrolled, and rekeys, whose secrets are lost",
            "deliver what bundle prints to each device",
        ]
        if restored.splitCount > 0 {
            lines.append("rotate --rekey the \(restored.splitCount) split keys: how often they sealed since is not known")
        }
        return lines
    }
}
