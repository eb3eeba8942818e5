import EnvelopeFormat
import KeyStore

/// How what unlocks a store is shown.
enum UnlockWayView {
    static func view(of way: UnlockWay) -> View {
        switch way {
        case .passphrase(let work):
            return View(
                lines: ["unlocked by a passphrase, Argon2id \(work.passes) passes over \(work.memoryMiB) MiB"],
                json: .members([
                    "unlocked_by": .string("passphrase"),
                    "argon2id": .members(["passes": .integer(work.passes), "memory_mib": .integer(work.memoryMiB)]),
                ]))
        case .keyFile(let path):
            return View(
                lines: ["unlocked by \(path ?? "a key file, whose path is not recorded")"],
                json: .members(["unlocked_by": .string("key file"), "key_file": path.map { .string($0) } ?? .null]))
        }
    }

    /// How a store would be unlocked after `rewrap`.
    static func way(
        _ new: UnlockSecret, _ argon2id: Argon2idParameters?, before: UnlockWay, in store: Store
    ) -> UnlockWay {
        switch new {
        case .keyFile(let path): return .keyFile(path: store.role == .sealer ? path : nil)
        case .passphrase:
            if let argon2id { return .passphrase(argon2id) }
            guard case .passphrase(let work) = before else { return .passphrase(.standard) }
            return .passphrase(work)
        }
    }
}
