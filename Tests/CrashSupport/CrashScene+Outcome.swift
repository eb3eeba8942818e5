import EnvelopeFormat
import Glibc
public import KeyStore

extension CrashScene {
    /// All that there is. What is in a table and is not told of by name is at least counted.
    public func outcome() throws -> SceneState {
        var parts = ["no backend"]
        if hasBackend { parts = [try backendOutcome(), try rows(of: backendDirectory)] }
        for number in phoneNumbers { parts += [try phoneOutcome(number), try rows(of: phoneDirectory(number))] }
        if let rows = try rowsOfBackup() { parts.append("backup of \(rows)") }
        return SceneState(facts: parts.joined(separator: " ;; "), entries: try entries())
    }

    /// Every store holds. Of a phone that nobody unlocked since it started nothing can be verified, and what an older
    /// version made is to be migrated first.
    public func verifyWhole() throws {
        if hasBackend, try !isOlder(backendDirectory) { try verifyWhole(try backend.store, backendDirectory) }
        for number in phoneNumbers where try !isOlder(phoneDirectory(number)) {
            guard try phone(number).store.lockState != .beforeFirstUnlock else { continue }
            try verifyWhole(try phone(number).store, phoneDirectory(number))
        }
    }

    /// All that can be verified of one store; whatever else a store has to show for itself belongs here.
    public func verifyWhole(_ store: Store, _ directory: String) throws {
        let status = try store.status(verify: true, now: now)
        guard (status.verifiedRows ?? 0) > 0, status.audit != nil else {
            throw CrashFailure("\(directory): nothing was verified")
        }
        try verifyAudit(of: store, directory)
    }

    /// The number of stores in whose files bytes of deleted secrets may still be.
    public func erasuresPending() throws -> Int {
        try stores.filter { try $0.status(now: now).erasurePending }.count
    }

    private var stores: [Store] {
        get throws { try (hasBackend ? [backend.store] : []) + phoneNumbers.map { try phone($0).store } }
    }

    /// No writer is on its way, and nothing deleted is left in the files: so it is after the next write.
    public func checkSettled() throws {
        for store in try stores {
            // Whoever comes next settles what a killed writer left.
            try store.setDefaults(try store.defaults(), now: now)
            guard store.generation.read().isSettled else { throw CrashFailure("\(store): its generation is not settled") }
            let status = try store.status(now: now)
            guard !status.erasurePending else { throw CrashFailure("\(store): erasure is pending") }
            guard status.anchor == nil || status.anchor?.state == .holds else {
                throw CrashFailure("\(store): \(String(describing: status.anchor))")
            }
        }
    }

    private func backendOutcome() throws -> String {
        if try isOlder(backendDirectory) { return "backend of an older version" }
        let status = try backend.store.status(now: now)
        var parts = ["backend \(status.lockState) \(status.counts)"]
        // A stop is no secrecy: what is below it is compared too, as far as it is told.
        guard status.lockState == .unlocked else { return parts[0] }
        parts += try common(try backend.store, backendDirectory)
        parts.append("defaults \(String(decoding: try backend.store.defaults().json, as: UTF8.self))")
        for device in try backend.devices() {
            parts.append("device \(device.name) \(device.conversationCount) \(device.isBeingRemoved)")
        }
        for record in try backend.conversations() {
            let order = record.handles.map(\.handle)
            func name(_ kid: KeyIdentifier?) -> String {
                kid.map { "\(order.firstIndex(of: $0.handle) ?? -1).\($0.epoch)" } ?? "none"
            }
            parts.append("conversation \(record.conversation) active \(name(record.active)) waiting \(name(record.waiting))")
            let ends = try backend.store.auditEntries(of: record.conversation, limit: 10_000).filter { $0.operation == .leaseEnd }
            // A sealer that is freed lets its leases go, killed it does not.
            if record.conversation.string != Self.direct { parts.append("lease ends \(ends.count)") }
            for member in record.members { parts.append("member \(member.name) \(name(member.acknowledged))") }
            for handle in record.handles {
                let times = [handle.created, handle.activatedAt, handle.epochStartedAt, handle.openUntil, handle.promoteAt]
                let text = times.map { $0.map { String($0 - Self.start) } ?? "-" }.joined(separator: ",")
                parts.append("handle \(handle.state) \(handle.epoch) \(text) leased \(handle.leasedCount)")
            }
        }
        return parts.joined(separator: "; ")
    }

    private func phoneOutcome(_ number: Int) throws -> String {
        if try isOlder(phoneDirectory(number)) { return "phone \(number) of an older version" }
        let store = try phone(number)
        let status = try store.store.status(now: now)
        var parts = ["phone \(number) \(status.lockState) \(status.counts) key \(try store.identityThumbprint() != nil)"]
        guard status.lockState != .beforeFirstUnlock else { return parts[0] }
        parts += try common(store.store, phoneDirectory(number))
        parts += try items(number)
        try store.reading { (transaction) throws(KeyStoreError) in
            parts.append("sequence \(try transaction.lastSequence()) next \(try transaction.nextInstallOrder())")
            var order: [Handle] = []
            for held in try transaction.heldEpochs() {
                if !order.contains(held.kid.handle) { order.append(held.kid.handle) }
                let handle = order.firstIndex(of: held.kid.handle) ?? -1
                let until = held.openUntil.map { String($0 - Self.start) } ?? "-"
                parts.append("held \(held.conversation) \(handle).\(held.kid.epoch) \(held.state) \(held.accessible.rawValue) \(until)")
            }
        }
        return parts.joined(separator: "; ")
    }

    /// What there is to tell of a store in either role.
    private func common(_ store: Store, _ directory: String) throws -> [String] {
        var parts = ["ways in \(try ways(into: store, directory))"]
        for use in try store.classKeyUse() { parts.append("class \(use.accessible.rawValue) \(use.version) \(use.rowCount)") }
        if let path = try store.anchorPath() {
            parts.append("anchor \(path.dropFirst(folder.count)) \(access(path, F_OK) == 0)")
        }
        return parts
    }

    private func items(_ number: Int) throws -> [String] {
        let found: [KeychainItem]
        do { found = try keychain(number).search() } catch let error as KeyStoreError {
            switch error.kind {
            case .notFound: return []
            case .locked: return ["items locked"]
            default: throw error
            }
        }
        return try found.map { item in
            var value = "locked"
            do {
                let found = try keychain(number).get(service: item.service, account: item.account).value
                value = (1...2).first { Self.value($0) == found }.map { "\($0)" } ?? "none of these"
            } catch let error as KeyStoreError where error.kind == .locked {}
            return "item \(item.account) \(item.accessible.rawValue) \(item.label) \(item.modified - Self.start) \(value)"
        }
    }
}
