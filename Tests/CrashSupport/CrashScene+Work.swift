import EnvelopeFormat
import KeyStore

extension CrashScene {
    /// What a process does over and over while others do theirs.
    public static let work: [String: @Sendable (CrashScene) throws -> Void] = [
        "seal": { scene in
            _ = try scene.seal(direct, for: 0, leasing: .doubling)
            _ = try scene.seal(hybrid, for: 1)
        },
        "lease": { try $0.lease(3) },
        "rotate": { scene in
            guard Int.random(in: 0..<4) == 0 else { return try scene.ratchet() }
            // One may wait already, of before it was killed; the last acknowledgement may come first.
            do { try scene.rekey() } catch let error as KeyStoreError where error.kind == .refused {}
            do {
                _ = try scene.backend.promote(try scene.conversation(direct), force: true, now: scene.now)
            } catch let error as KeyStoreError where error.kind == .refused {}
        },
        "accept": { scene in for number in 0..<2 { try scene.deliver(to: number) } },
    ]
}

extension CrashOperation {
    /// Nothing: for tests that let ``CrashScene/work`` run.
    public static let idle = CrashOperation("idle", [])
}
