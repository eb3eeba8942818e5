import BackendJSON
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
}
