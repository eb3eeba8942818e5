import BackendJSON
import EnvelopeFormat
import KeyStore

/// What `init` prints: the store, what to back up, and what its loss means.
enum InitView {
    static func advice(onAuditKey path: String) -> String {
        "take \(path) away from this machine: with it, later changes of the audit log are found out"
    }

    static func view(directory: String, _ configuration: StoreConfiguration) -> View {
        let unlockedBy: String
        let keyFile: String?
        switch configuration.unlock {
        case .passphrase:
            unlockedBy = "passphrase"
            keyFile = nil
        case .keyFile(let path):
            unlockedBy = "key file"
            keyFile = path
        }
        let backup = keyFile ?? "the passphrase"
        var advice = [
            "back up \(backup), apart from the store: without it nothing in the store can be read by anybody",
            configuration.role == .sealer
                ? "back up the store too, by the command backup and not as a copy: without one every conversation has to be provisioned anew"
                : "the device's identity is in no backup: restored, it is enrolled anew",
        ]
        if let path = configuration.auditKeyFile {
            advice.append(Self.advice(onAuditKey: path))
        } else if configuration.role == .sealer {
            advice.append(
                "no --audit-key: that who has the store's keys rewrites the audit log goes unseen, and it cannot be made later")
        }
        let lines =
            [
                "\(configuration.role.rawValue) store \(directory)", "access group \(configuration.accessGroup)",
                "unlocked by \(keyFile ?? "a passphrase")",
            ] + (configuration.anchor.map { ["anchor \($0)"] } ?? [])
        let json = JSONValue.members([
            "store": .string(directory), "role": .string(configuration.role.rawValue),
            "access_group": .string(configuration.accessGroup), "unlocked_by": .string(unlockedBy),
            "key_file": keyFile.map { .string($0) }, "anchor": configuration.anchor.map { .string($0) },
            "audit_key": configuration.auditKeyFile.map { .string($0) }, "advice": .list(advice) { .string($0) },
        ])
        return View(lines: lines + advice, json: json)
    }
}
