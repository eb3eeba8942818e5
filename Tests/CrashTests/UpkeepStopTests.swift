import CrashSupport
import Foundation
import StoreFixtures
import Testing

/// Backup, restore, rewrap and migrate as an operator sees them where nothing can be written: a clear error, nothing left
/// behind, and they work when it is over.
@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
struct UpkeepStopTests {
    enum Stop: CaseIterable {
        case full
        case readOnly
    }

    @Test(arguments: Stop.allCases) func nothingIsLeftBehind(_ stop: Stop) throws {
        let disk = try SmallDisk(byteCount: 8 << 20)
        let prepared = try PreparedOperation(.idle, in: disk.path)
        try prepared.putBack()
        let folder = prepared.folder
        let (store, key) = (folder + "/backend", folder + "/backend-key")
        _ = try StoreFixture("schema-1", "sealer", at: folder + "/older", keyFile: folder + "/older-key")
        let commands = [
            "backup --store \(store) --backup-key-file \(key) \(folder)/made.backup",
            "restore --store \(folder)/restored --key-file \(key) --backup-key-file \(key) \(folder)/made.backup",
            "rewrap --store \(store) --new-key-file \(folder)/new-key", "rewrap --class-keys --store \(store)",
            "migrate --store \(folder)/older",
        ]
        for command in commands {
            let before = try files(in: folder)
            try begin(stop, on: disk)
            let stopped = try Program.keyctl(command)
            #expect(stopped.status == 74, "\(command): \(stopped)")
            #expect(stopped.errors.hasPrefix("keyctl: error: ") && stopped.errors.contains(folder), "\(stopped.errors)")
            #expect(stopped.output.isEmpty)
            try end(stop, on: disk)
            // What lies beside a database comes and goes with who has it open.
            #expect(try files(in: folder) == before, "\(command)")
            let after = try Program.keyctl(command)
            #expect(after.status == 0, "\(command): \(after.errors)")
        }
        for name in ["backend", "restored", "older"] {
            let status = try Program.keyctl("status --verify --store \(folder)/\(name)")
            #expect(status.status == 0, "\(status.errors)")
        }
    }

    private func begin(_ stop: Stop, on disk: SmallDisk) throws {
        switch stop {
        case .full: try disk.fill(leaving: 0)
        case .readOnly: try disk.setReadOnly(true)
        }
    }

    private func end(_ stop: Stop, on disk: SmallDisk) throws {
        switch stop {
        case .full: disk.makeRoom()
        case .readOnly: try disk.setReadOnly(false)
        }
    }

    private func files(in folder: String) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
    }
}
