import EnvelopeFormat
import KeyStore

extension CrashOperation {
    static let rotations = [
        rotation("rotate-all", .ratchet), rotation("rekey-all", .rekey),
        CrashOperation(
            "class-keys",
            [
                .act(isGradual: true) { try $0.rotateClassKeys(of: try $0.backend.store, nil) },
                .act(isGradual: true) { try $0.rotateClassKeys(of: try $0.phone(0).store, try $0.phoneSecret(0)) },
            ]),
    ]

    /// A rotation of all conversations: a run is begun, and goes on where it was when it is begun again.
    private static func rotation(_ name: String, _ kind: RotationRun.Kind) -> CrashOperation {
        CrashOperation(
            name,
            [
                .act(isGradual: true) { scene in
                    let run = try scene.backend.beginRotation(kind, now: scene.now)
                    while try !scene.backend.rotateSome(run, now: scene.now).isLast {}
                }
            ])
    }
}

extension CrashScene {
    /// Replaces the key of every class, or completes a replacement that was interrupted.
    func rotateClassKeys(of store: Store, _ secret: UnlockSecret?) throws {
        let rotation = try ClassKeyRotation(store, unlockedBy: secret, now: now)
        while try rotation.step() {}
        try rotation.finish()
    }
}
