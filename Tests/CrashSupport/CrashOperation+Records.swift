import EnvelopeFormat
import KeyStore

extension CrashOperation {
    static let records = [
        CrashOperation(
            "anchor",
            [
                .act { try $0.backend.store.setAnchor($0.anchor(1), now: $0.now) },
                .act { try $0.backend.store.setAnchor($0.anchor(2), now: $0.now) },
                .act { try $0.backend.store.setAnchor(nil, now: $0.now) },
            ]),
        CrashOperation(
            "anchored", prepare: { try $0.backend.store.setAnchor($0.anchor(1), now: $0.now) },
            [.act { try $0.ratchet() }, .act(again: .refused) { try $0.rekey() }, .act { try $0.lease(10) }]),
        CrashOperation(
            "checkpoint",
            [
                .act { _ = try $0.backend.store.auditCheckpoint(now: $0.now) },
                .act { _ = try $0.phone(0).store.auditCheckpoint(now: $0.now) },
            ]),
        CrashOperation(
            "lease-end",
            prepare: { scene in
                let name = try scene.conversation("leased")
                _ = try scene.backend.provision(
                    name, algorithm: .dir, members: [try scene.thumbprint(0)], now: scene.now)
                let kid = try scene.backend.sealingState(name, now: scene.now).kid
                for _ in 0..<2 { _ = try scene.backend.leaseSeals(kid, of: name, count: 64, now: scene.now) }
            },
            // Told of the conversation, not counted with the others.
            [.act(isEntered: false) { try $0.endLease(from: 0) }, .act(isEntered: false) { try $0.endLease(from: 64) }]),
        CrashOperation(
            "backup",
            [
                // It is written down before the file gets its name: there is no backup of which nothing was, and an entry may
                // have none.
                .act(again: .alreadyExists, isGradual: true) { scene in
                    _ = try scene.backend.store.backUp(to: scene.backup, secret: scene.keyFile(1), now: scene.now)
                }
            ]),
        CrashOperation(
            "restore",
            prepare: { scene in
                try scene.keepCheckpoints()
                _ = try scene.backend.store.backUp(to: scene.backup, secret: scene.keyFile(1), now: scene.now)
                // After the backup, so that what it leased must never be leased again.
                try scene.lease(5)
                try Files.write(Array(try scene.sealingKid().utf8), to: scene.folder + "/leased")
            },
            loses: { $0.backendDirectory },
            [
                .act(again: .alreadyExists) { try $0.restoreBackend() },
                .act { scene in
                    guard try Files.read(scene.folder + "/leased") != Array(try scene.sealingKid().utf8) else {
                        throw CrashFailure("restored, it seals under the same epoch")
                    }
                    try scene.lease(7)
                },
            ]),
    ]
}

extension CrashScene {
    var backup: String { folder + "/backup" }
    func anchor(_ number: Int) -> String { folder + "/anchor-\(number)" }

    /// Says how many seals were used of the lease that begins with that one.
    func endLease(from first: Int64) throws {
        let kid = try backend.sealingState(try conversation("leased"), now: now).kid
        try backend.endLeases([LeaseUse(kid: kid, first: first, used: 9)], now: now)
    }

    func sealingKid() throws -> String {
        try backend.sealingState(try conversation(Self.direct), now: now).kid.description
    }

    func restoreBackend() throws {
        try forgetAnchor(anchor(1))
        var configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: folder + "/backend-key"))
        configuration.anchor = anchor(1)
        let (restored, _) = try Store.restore(
            backup, secret: keyFile(1), directory: backendDirectory, now: now, configuration: { _ in configuration })
        try keepBackend(SealerStore(restored))
    }
}
