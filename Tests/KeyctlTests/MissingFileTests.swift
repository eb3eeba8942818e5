import Foundation
import StoreFixtures
import Testing

@testable import keyctl

/// A file that a command line names and that is not there: what is read is no such thing, 66; what unlocks something, or stands
/// for the store itself, is unavailable, 69.
@Suite struct MissingFileTests {
    private struct Read {
        /// A command, and the option or argument that names the file.
        let file: String
        let line: String
        let status: Int32

        init(_ file: String, _ line: String, _ status: keyctl.ExitStatus) {
            self.file = file
            self.line = line
            self.status = status.rawValue
        }
    }

    private static let reads = [
        Read("device enroll FILE|-", "device enroll --store sealer missing", .notFound),
        Read("accept FILE|-", "accept --store phone missing", .notFound),
        Read("open FILE|-", "open --store phone missing", .notFound),
        Read("inspect FILE|-", "inspect missing", .notFound),
        Read("attachment seal FILE", "attachment seal missing --output new", .notFound),
        Read("attachment open SEALED", "attachment open missing --image claim --output new", .notFound),
        Read("attachment open --image", "attachment open sealed --image missing --output new", .notFound),
        Read("simulate FILE|-", "simulate --store phone missing", .notFound),
        Read("simulate --ca", "simulate --store phone --ca missing push", .notFound),
        Read("telemetry FILE|-", "telemetry missing", .notFound),
        Read("split add FILE|-", "split add --store phone missing", .notFound),
        Read("init --defaults", "init --store new --role sealer --key-file new.key --defaults missing", .notFound),
        Read("provision --from", "provision --store sealer --from missing", .notFound),
        Read("seal --body-file", "seal --store sealer --conversation chat --body-file missing", .notFound),
        Read("seal --request", "seal --store sealer --request missing", .notFound),
        Read("audit verify --key", "audit verify --store sealer --key missing", .notFound),
        Read("audit verify --checkpoint", "audit verify --store sealer --checkpoint missing", .notFound),
        Read("kat --cases", "kat --cases missing", .notFound),
        Read("restore FILE", "restore --store new --key-file new.key --backup-key-file backup.key missing", .notFound),
        Read(
            "restore --backup-key-file", "restore --store new --key-file new.key --backup-key-file missing sealer.backup",
            .unavailable),
        Read("unlock --key-file", "unlock --store sealer --key-file missing", .unavailable),
        Read("rewrap --key-file", "rewrap --store sealer --key-file missing --new-key-file new.key", .unavailable),
        Read("migrate --key-file", "migrate --store older --key-file missing", .unavailable),
        Read("status --anchor", "status --store sealer --verify --anchor missing", .unavailable),
    ]

    /// Files that are made, or made where they are not there.
    private static let made: Set<String> = [
        "init --key-file", "init --anchor", "init --audit-key", "restore --key-file", "restore --anchor", "backup FILE",
        "backup --backup-key-file", "rewrap --new-key-file", "migrate --audit-key", "split export --output",
        "audit checkpoint --output", "simulate --html", "attachment seal --output", "attachment seal --image",
        "device new --output", "device show --output", "attachment open --output",
    ]

    @Test func everyFileOfTheTableIsOneOfThem() {
        var files: Set<String> = []
        for command in CommandTable.standard.commands {
            for argument in command.arguments where argument.completion == .files {
                files.insert("\(command.name) \(argument.name)")
            }
            for option in command.options where option.completion == .files {
                files.insert("\(command.name) --\(option.name)")
            }
        }
        #expect(files == Self.made.union(Self.reads.map(\.file)))
    }

    @Test func theExitCodeSaysWhichKind() throws {
        let stores = try TestStores()
        let folder = stores.place.folder.path
        _ = try StoreFixture("schema-1", "phone", at: folder + "/older", keyFile: folder + "/older.key")
        _ = try stores.ends("keyctl backup --store sealer --backup-key-file backup.key sealer.backup", 0)
        _ = try stores.ends("keyctl attachment seal push --output sealed > claim", 0)
        for read in Self.reads {
            for place in ["missing", "nowhere/missing"] {
                let line = read.line.replacingOccurrences(of: "missing", with: place)
                let finished = try stores.ends("keyctl \(line)", read.status)
                let named = finished.errorText.contains("missing: ") || finished.errorText.contains("nowhere: ")
                #expect(named, "\(line): \(finished.errorText)")
            }
        }
        #expect(try stores.place.run("test -e new || test -e new.key").status == 1)
    }
}
