import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a store's status is shown.
enum StatusView {
    static func view(of status: StoreStatus) -> View {
        let counts = counts(of: status)
        var lines = [
            "\(status.role.rawValue) store \(status.identifier), access group \(status.accessGroup)",
            ([status.lockState.rawValue] + (status.sessionHolder.map { ["keys held by \($0)"] } ?? [])
                + LockView.remark(status.secondsUntilLock)).joined(separator: ", "),
            "schema \(status.schemaVersion)",
        ]
        lines += counts.map { "\($0.label) \($0.count)" }
        if let oldest = status.oldestPendingBundle { lines.append("oldest bundle \(Timestamp.text(oldest))") }
        if let audit = status.audit {
            lines.append("audit log of \(audit.entries) entries, checkpoint key \(Base64URL.encode(audit.checkpointKey))")
        }
        if status.erasurePending { lines.append("erasure pending") }
        if let anchor = status.anchor { lines.append("anchor \(anchor.path) \(words(for: anchor.state))") }
        if let rows = status.verifiedRows { lines.append("verified \(rows) rows") }
        let json = JSONValue.members([
            "role": .string(status.role.rawValue), "store": .string(status.identifier),
            "access_group": .string(status.accessGroup), "lock_state": .string(status.lockState.rawValue),
            "seconds_until_lock": status.secondsUntilLock.map { .integer($0) },
            "session_holder": status.sessionHolder.map { .string($0) } ?? .null, "schema": .integer(status.schemaVersion),
            "counts": .object(counts.map { JSONMember($0.name, .integer($0.count)) }),
            "oldest_bundle": status.oldestPendingBundle.map { .integer($0) } ?? .null,
            "audit": status.audit.map { audit in
                .members([
                    "log": .string(audit.log), "entries": .integer(audit.entries),
                    "checkpoint_key": .string(Base64URL.encode(audit.checkpointKey)),
                ])
            } ?? .null,
            "erasure_pending": .bool(status.erasurePending), "anchor": status.anchor.map(json),
            "verified_rows": status.verifiedRows.map { .integer($0) },
        ])
        return View(lines: lines, json: json)
    }

    private static func words(for state: AnchorReport.State) -> String {
        switch state {
        case .holds: "holds"
        case .behind: "is one change behind"
        case .unreadable(let reason): "cannot be read: \(reason)"
        }
    }

    private static func json(_ anchor: AnchorReport) -> JSONValue {
        let (state, reason): (String, String?) =
            switch anchor.state {
            case .holds: ("holds", nil)
            case .behind: ("behind", nil)
            case .unreadable(let reason): ("unreadable", reason)
            }
        return .members([
            "file": .string(anchor.path), "state": .string(state), "reason": reason.map { .string($0) },
        ])
    }

    private static func counts(of status: StoreStatus) -> [(name: String, label: String, count: Int)] {
        let counts = status.counts
        switch status.role {
        case .sealer:
            return [
                ("devices", "devices", counts.devices), ("conversations", "conversations", counts.conversations),
                ("secrets", "secrets", counts.handles), ("bundles", "bundles not acknowledged", counts.pendingBundles),
            ]
        case .device:
            return [
                ("epochs", "epochs held", counts.heldEpochs), ("split_keys", "split keys", counts.splitKeys),
                ("items", "keychain items", counts.items),
                ("replay_records", "messages remembered", counts.replayRecords),
            ]
        }
    }
}
