import EnvelopeFormat
import KeyStore

extension CrashOperation {
    static let endings = [
        CrashOperation(
            "retire",
            [
                .act(again: .refused) { scene in
                    _ = try scene.backend.retire(try scene.conversation(CrashScene.direct), now: scene.now)
                },
                .act(again: .refused) { scene in
                    _ = try scene.backend.destroy(
                        try scene.conversation(CrashScene.direct), force: true, now: scene.now)
                },
            ]),
        CrashOperation(
            "revoke-waiting", prepare: { try $0.rekey() },
            [
                .act(again: .refused) { scene in
                    let name = try scene.conversation(CrashScene.direct)
                    let secrets = try scene.backend.conversation(name).handles
                    // The one that waits; done again, the one that waited.
                    guard let secret = secrets.first(where: { $0.state == .preActivation || $0.state == .compromised })
                    else { throw CrashFailure("nothing waits") }
                    _ = try scene.backend.revoke(name, handle: secret.handle, now: scene.now)
                }
            ]),
        CrashOperation(
            "device-states",
            prepare: { scene in
                _ = try scene.backend.provision(
                    try scene.conversation("new"), algorithm: .dir, members: [try scene.thumbprint(0)], now: scene.now)
                try scene.deliver(to: 0)
                _ = try scene.backend.retire(try scene.conversation("new"), now: scene.now)
            },
            [
                .act(again: .refused) { try $0.phone(0).suspend(try $0.conversation("new"), now: $0.now) },
                .act(again: .refused) { try $0.phone(0).resume(try $0.conversation("new"), now: $0.now) },
                .act(again: .refused) { try $0.phone(0).revoke(try $0.conversation("new"), now: $0.now) },
                .act(again: .refused) { try $0.phone(0).destroy(try $0.conversation("new"), now: $0.now) },
            ]),
    ]
}
