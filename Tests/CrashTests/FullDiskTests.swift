import CrashSupport
import Foundation
import TestSupport
import Testing

/// A file system with no room, in earnest: what the kernel answers, mapped files included.
@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
struct FullDiskTests {
    @Test(arguments: CrashOperation.all) func nothingIsLostOnAFullDisk(_ operation: CrashOperation) throws {
        let disk = try SmallDisk(byteCount: 8 << 20)
        let prepared = try PreparedOperation(operation, in: disk.path)
        for room in TestAmount.isSlow ? Array(stride(from: 0, through: 96, by: 4)) : [0, 40] {
            do { try fill(disk, leaving: room << 10, prepared) } catch {
                Issue.record("\(operation) with \(room) KiB: \(error)")
            }
            disk.makeRoom()
        }
    }

    private func fill(_ disk: SmallDisk, leaving room: Int, _ prepared: PreparedOperation) throws {
        try prepared.putBack()
        try disk.fill(leaving: room)
        // The fault is never armed: it is the disk that is full.
        let worker = try prepared.run("full", .max)
        var report = try worker.report()
        disk.makeRoom()
        let scene = CrashScene(prepared.folder)
        let found = try scene.outcome()
        if let failure = report.failure {
            if failure.text != CrashScene.unremembered {
                try Aftermath.check(failure, is: .full, in: prepared.folder)
            }
            worker.go(on: try Aftermath(prepared, report).nextStep(found))
            report = try worker.report()
            if let failure = report.failure { throw CrashFailure("there is room, and yet: \(failure)") }
        }
        let outcome = try scene.outcome()
        guard prepared.isLast(outcome, from: found) else { throw CrashFailure("it comes to another state: \(outcome)") }
        let signal = worker.end()
        guard signal == nil else { throw CrashFailure("it ended with \(String(describing: signal))") }
        try Aftermath.checkWhole(scene)
    }

    /// As an operator sees it.
    @Test func keyctlSaysThatTheDiskIsFull() throws {
        let disk = try SmallDisk(byteCount: 8 << 20)
        let prepared = try PreparedOperation(.idle, in: disk.path)
        try prepared.putBack()
        let store = prepared.folder + "/backend"
        let database = store + "/group.waxwing.default/store.sqlite"
        let commands = [
            "rotate --store \(store) --conversation direct", "rotate --rekey --store \(store) --conversation direct",
            "provision --store \(store) --conversation late --alg split --until 2100-01-01",
            "promote --force --store \(store) --conversation direct", "lock --store \(store)", "unlock --store \(store)",
            "init --store \(prepared.folder)/other --role sealer --key-file \(prepared.folder)/other-key",
        ]
        for command in commands {
            try disk.fill(leaving: 0)
            let full = try Program.keyctl(command)
            #expect(full.status == 74, "\(command): \(full.errors)")
            let names = full.errors.contains(command.hasPrefix("init") ? prepared.folder : database)
            #expect(full.errors.hasPrefix("keyctl: error: ") && names, "\(full.errors)")
            #expect(full.errors.contains("full") || full.errors.contains("No space left"), "\(full.errors)")
            #expect(full.output.isEmpty)
            let looked = try Program.keyctl("list --store \(store)")
            #expect(looked.status == 0 || looked.status == 74 && looked.errors.contains(database), "\(looked)")
            disk.makeRoom()
            let after = try Program.keyctl(command)
            #expect(after.status == 0, "\(command): \(after.errors)")
            let status = try Program.keyctl("status --verify --store \(store)")
            #expect(status.status == 0, "\(status.errors)")
        }
    }
}
