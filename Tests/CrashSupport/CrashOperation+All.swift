import EnvelopeFormat
import KeyStore
import Sealer

// A new operation is one more entry of these lists.
extension CrashOperation {
    public static let all: [CrashOperation] =
        founding + conversations + membership + sealing + stops + devices + endings + rotations + unlocking + keychain + records

    private static let founding = [
        CrashOperation(
            founding: "init",
            [
                .act(again: .alreadyExists) { try $0.makeBackendAnchored() },
                // Killed when the store has its place and nobody holds its keys yet, it is one to be unlocked.
                .act(isGradual: true) { scene in
                    guard scene.phoneNumbers.isEmpty else { return try scene.makeReady() }
                    try scene.forgetAuditKey(of: scene.phoneDirectory(0))
                    try scene.makePhone(0)
                },
                .act(again: .alreadyExists) { try $0.makeIdentity(0) },
            ])
    ]

    private static let conversations = [
        CrashOperation(
            "provision",
            [
                .act(again: .alreadyExists) { scene in
                    _ = try scene.backend.provision(
                        try scene.conversation("new"), algorithm: .dir,
                        members: [try scene.thumbprint(0), try scene.thumbprint(1)], now: scene.now)
                }
            ]),
        CrashOperation("ratchet", [.act { try $0.ratchet() }, .act { try $0.ratchet() }]),
        CrashOperation("rekey", [.act(again: .refused) { try $0.rekey() }]),
        CrashOperation("rekey-restart", prepare: { try $0.rekey() }, [.act { try $0.rekey(restart: true) }]),
        CrashOperation(
            "acknowledge",
            prepare: { scene in
                try scene.rekey()
                for number in 0..<2 { try scene.acceptPending(on: number) }
            },
            [.act { try $0.acknowledgePending(of: 0) }, .act { try $0.acknowledgePending(of: 1) }]),
        CrashOperation(
            "promote", prepare: { try $0.rekey() },
            [
                .act(again: .refused) { scene in
                    _ = try scene.backend.promote(try scene.conversation(CrashScene.direct), force: true, now: scene.now)
                }
            ]),
        CrashOperation(
            "suspend",
            [
                .act(again: .refused) { scene in
                    _ = try scene.backend.suspend(try scene.conversation(CrashScene.direct), now: scene.now)
                },
                .act(again: .refused) { scene in
                    _ = try scene.backend.resume(try scene.conversation(CrashScene.direct), now: scene.now)
                },
            ]),
        CrashOperation(
            "revoke",
            [
                .act { scene in
                    _ = try scene.backend.revoke(try scene.conversation(CrashScene.direct), now: scene.now)
                }
            ]),
    ]

    private static let membership = [
        CrashOperation("enroll", [.act { try $0.enroll(2) }]),
        CrashOperation(
            "member-add", prepare: { try $0.enroll(2) },
            [
                .act(again: .alreadyExists) { scene in
                    _ = try scene.backend.addMember(
                        try scene.thumbprint(2), to: try scene.conversation(CrashScene.direct), now: scene.now)
                }
            ]),
        CrashOperation(
            "member-remove",
            [
                .act(again: .notFound) { scene in
                    _ = try scene.backend.removeMember(
                        try scene.thumbprint(1), from: try scene.conversation(CrashScene.direct), now: scene.now)
                }
            ]),
        CrashOperation(
            "device-remove",
            [
                .act(again: .notFound, isGradual: true) { scene in
                    try scene.backend.removeDevice(try scene.thumbprint(1), now: scene.now)
                }
            ]),
    ]

    private static let sealing = [
        CrashOperation("lease", [.act { try $0.lease(10) }, .act { try $0.lease(7) }, .act { try $0.lease(64) }]),
        CrashOperation(
            "seal",
            [
                .act { _ = try $0.seal(CrashScene.direct, for: 0, leasing: .doubling) },
                // Without a counter, and so without a lease.
                .act(isEntered: false) { _ = try $0.seal(CrashScene.hybrid, for: 1) },
            ]),
    ]

    private static let stops = [
        CrashOperation(
            "defaults",
            [
                .act { scene in
                    let defaults = StoreDefaults(json: Array(#"{"placeholder":{"body":"Something new"}}"#.utf8))
                    try scene.backend.store.setDefaults(defaults, now: scene.now)
                }
            ]),
        CrashOperation(
            "lock",
            [
                .act { try $0.backend.store.lock(restart: false, now: $0.now) },
                .act { try $0.backend.store.unlock(nil, now: $0.now) },
                .act { try $0.backend.store.lock(restart: true, now: $0.now) },
                .act { try $0.backend.store.unlock(nil, now: $0.now) },
            ]),
        CrashOperation(
            "device-lock",
            // Entries of a phone's locks are not counted.
            [
                .act(isEntered: false) { try $0.phone(0).store.lock(restart: false, now: $0.now) },
                // Killed between handing its keys over and the commit, it is unlocked and that is not written down.
                .act(isGradual: true, failsWhole: true) { try $0.phone(0).store.unlock($0.phoneSecret(0), now: $0.now) },
                .act(isEntered: false) { try $0.phone(0).store.lock(restart: true, now: $0.now) },
                .act(isGradual: true, failsWhole: true) { try $0.phone(0).store.unlock($0.phoneSecret(0), now: $0.now) },
            ]),
    ]

    private static let devices = [
        CrashOperation(
            "accept",
            prepare: { scene in
                try scene.ratchet()
                try scene.rekey()
                _ = try scene.backend.provision(
                    try scene.conversation("new"), algorithm: .hpke7, members: [try scene.thumbprint(0)], now: scene.now)
                let bundles = try scene.backend.pendingBundles(for: try scene.thumbprint(0), now: scene.now)
                for (number, bundle) in bundles.enumerated() {
                    try Files.write(Array(bundle.bundle.utf8), to: scene.folder + "/bundle-\(number)")
                }
            },
            [.act { try $0.acceptKept(0) }, .act { try $0.acceptKept(1) }]),
        CrashOperation(
            "open",
            prepare: { scene in
                for _ in 0..<3 { try scene.ratchet() }
                for number in 0..<2 {
                    try Files.write(try scene.seal(CrashScene.direct, for: 0), to: scene.folder + "/ahead-\(number)")
                }
            },
            // With the second push no key changes.
            [
                .act(isGradual: true) { try $0.openKept(0) },
                .act(isGradual: true, isEntered: false) { try $0.openKept(1) },
            ]),
        CrashOperation(
            "split-add",
            [
                .act { scene in
                    try scene.phone(0).splitAdd(
                        .init(data: [UInt8](repeating: 7, count: 32)), conversation: try scene.conversation("by-hand"),
                        until: scene.now + 86_400, now: scene.now)
                },
                .act { try $0.phone(0).splitAllow(now: $0.now) },
            ]),
    ]
}

extension CrashScene {
    func ratchet() throws { _ = try backend.ratchet(try conversation(Self.direct), now: now) }

    func rekey(restart: Bool = false) throws {
        _ = try backend.rekey(try conversation(Self.direct), restart: restart, now: now)
    }

    /// Leases seals, and tells it as soon as they are granted.
    func lease(_ count: Int) throws {
        let name = try conversation(Self.direct)
        let kid = try backend.sealingState(name, now: now).kid
        let range = try backend.leaseSeals(kid, of: name, count: count, now: now)
        say("granted \(kid) \(range.lowerBound) \(range.count)")
    }

    /// Leases seals wherever one can be sealed, so that they are compared with those that were leased before.
    public func leaseAgain() throws {
        guard hasBackend else { return }
        let name = try conversation(Self.direct)
        guard try backend.conversations().contains(where: { $0.conversation == name && $0.active != nil && !$0.members.isEmpty })
        else { return }
        try lease(3)
    }

    /// Has the first phone take a bundle of those that were kept.
    func acceptKept(_ number: Int) throws {
        guard let bundle = try Files.read(folder + "/bundle-\(number)") else { throw CrashFailure("no bundle \(number)") }
        try accept(bundle, on: 0)
    }

    /// Has the first phone open a push that is ahead of what it holds.
    ///
    /// Killed when the push was remembered and the step was not kept yet, the phone calls it one that was seen, and keeps the
    /// step with the next push.
    func openKept(_ number: Int) throws {
        // Both at one time: an epoch is kept until a time that is counted from it.
        begin(step: 0)
        guard let push = try Files.read(folder + "/ahead-\(number)") else { throw CrashFailure("no push \(number)") }
        let outcome = try open(push, on: 0, remembers: true)
        guard outcome == .opened || outcome == .duplicate else { throw CrashFailure("a push: \(outcome.rawValue)") }
    }
}
