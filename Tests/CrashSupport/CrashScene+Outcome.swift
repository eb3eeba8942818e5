import EnvelopeFormat
import Glibc
public import KeyStore

extension CrashScene {
    /// All that the stores hold, on one line and without what is drawn at random: two scenes of the same line are in the
    /// same state.
    public func outcome() throws -> String {
        var parts = [hasBackend ? try backendOutcome() : "no backend"]
        for number in phoneNumbers { parts.append(try phoneOutcome(number)) }
        return parts.joined(separator: " ;; ")
    }

    /// Every row of every store holds. Of a phone that nobody unlocked since it started nothing can be verified.
    public func verifyWhole() throws {
        if hasBackend { try verifyWhole(try backend.store) }
        for number in phoneNumbers where try phone(number).store.lockState != .beforeFirstUnlock {
            try verifyWhole(try phone(number).store)
        }
    }

    /// All that can be verified of one store; whatever else a store has to show for itself belongs here.
    public func verifyWhole(_ store: Store) throws {
        guard (try store.status(verify: true, now: now).verifiedRows ?? 0) > 0 else {
            throw CrashFailure("\(store): nothing was verified")
        }
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
            guard try !store.status(now: now).erasurePending else { throw CrashFailure("\(store): erasure is pending") }
        }
    }

    private func backendOutcome() throws -> String {
        let status = try backend.store.status(now: now)
        var parts = ["backend \(status.lockState) \(status.counts)"]
        // A stop is no secrecy: what is below it is compared too, as far as it is told.
        guard status.lockState == .unlocked else { return parts[0] }
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
        let store = try phone(number)
        let status = try store.store.status(now: now)
        var parts = ["phone \(number) \(status.lockState) \(status.counts) key \(try store.identityThumbprint() != nil)"]
        guard status.lockState != .beforeFirstUnlock else { return parts[0] }
        try store.reading { (transaction) throws(KeyStoreError) in
            parts.append("sequence \(try transaction.lastSequence()) next \(try transaction.nextInstallOrder())")
            var order: [Handle] = []
            for held in try transaction.heldEpochs() {
                if !order.contains(held.kid.handle) { order.append(held.kid.handle) }
                let handle = order.firstIndex(of: held.kid.handle) ?? -1
                let until = held.openUntil.map { String($0 - Self.start) } ?? "-"
                parts.append("held \(held.conversation) \(handle).\(held.kid.epoch) \(held.state) \(until)")
            }
        }
        return parts.joined(separator: "; ")
    }
}
