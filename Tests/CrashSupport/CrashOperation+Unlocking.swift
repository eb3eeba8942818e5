import KeyStore

extension CrashOperation {
    static let unlocking = [
        CrashOperation(
            "rewrap",
            [
                .act(again: .badInput) { try $0.rewrap($0.backend.store, nil, to: $0.keyFile(1)) },
                .act { try $0.rewrap($0.backend.store, nil, to: $0.passphrase) },
                .act(again: .authenticationFailed) { try $0.rewrap($0.backend.store, $0.passphrase, to: $0.keyFile(2)) },
            ]),
        CrashOperation(
            "device-rewrap",
            prepare: { try $0.rewrap($0.phone(0).store, $0.phoneSecret(0), to: $0.passphrase) },
            [
                .act(again: .authenticationFailed) { try $0.rewrap($0.phone(0).store, $0.passphrase, to: $0.keyFile(1)) },
                .act(again: .authenticationFailed) { try $0.rewrap($0.phone(0).store, $0.keyFile(1), to: $0.keyFile(2)) },
            ]),
        CrashOperation(
            "passcode",
            prepare: { scene in
                try scene.addItem("kept", .whenUnlocked)
                try scene.addItem("lost", .whenPasscodeSetThisDeviceOnly)
                try scene.rewrap(scene.phone(0).store, scene.phoneSecret(0), to: scene.passphrase)
            },
            [
                // Killed between taking the class key out of the session and the commit, what needs a passcode is locked.
                .act(again: .refused, isGradual: true, failsWhole: true) { scene in
                    guard case .keyFile(let path) = scene.keyFile(1) else { return }
                    try scene.phone(0).store.removePasscode(scene.passphrase, keyFile: path, now: scene.now)
                },
                .act(again: .refused) { scene in
                    guard case .passphrase(let passcode) = try scene.passphrase else { return }
                    try scene.phone(0).store.setPasscode(
                        passcode, argon2id: try .init(passes: 1, memoryMiB: 8), current: scene.keyFile(1), now: scene.now)
                },
                .act(again: .alreadyExists) { try $0.addItem("new", .whenPasscodeSetThisDeviceOnly) },
            ]),
        CrashOperation(
            older: "migrate",
            [
                .act { _ = try Store.migrate(directory: $0.backendDirectory, now: $0.now) },
                // A session that another run left may have it unlocked already.
                .act(isGradual: true) { scene in
                    _ = try Store.migrate(
                        directory: scene.phoneDirectory(0), secret: try scene.passphrase, now: scene.now)
                    try scene.phone(0).store.unlock(try scene.passphrase, now: scene.now)
                },
            ]),
    ]
}

extension CrashScene {
    func rewrap(_ store: Store, _ present: UnlockSecret?, to new: UnlockSecret) throws {
        try store.rewrap(present, to: new, argon2id: try Argon2idParameters(passes: 1, memoryMiB: 8), now: now)
    }
}
