import Foundation
import Testing

@testable import keyctl

/// `--dry-run` on everything that changes state changes no row and no file.
@Suite struct DryRunTests {
    /// For each command that takes `--dry-run`, a line that would change something.
    private static let lines = [
        "init": "init --store other --role sealer --key-file other.key",
        "unlock": "unlock --store sealer",
        "lock": "lock --store phone --restart",
        "config set": "config set --store sealer padding none",
        "device new": "device new --store fresh --name Fresh --output other.json",
        "device enroll": "device enroll --store empty enrollment.json",
        "device remove": "device remove --store sealer $device",
        "provision": "provision --store sealer --conversation new --device $device",
        "member add": "member add --store sealer --conversation lone --device $device",
        "member remove": "member remove --store sealer --conversation chat --device $device",
        "bundle": "bundle --store sealer --device $device",
        "bundle ack": "bundle ack --store sealer --device $device --seq $seq",
        "accept": "accept --store phone bundles",
        "rotate": "rotate --store sealer --all --rekey",
        "promote": "promote --store sealer --conversation waiting --force",
        "migrate": "migrate --store sealer",
        "suspend": "suspend --store sealer --conversation chat",
        "resume": "resume --store sealer --conversation held",
        "revoke": "revoke --store phone --conversation chat",
        "retire": "retire --store sealer --conversation chat --force",
        "destroy": "destroy --store sealer --conversation ended --force",
        "seal": "seal --store sealer --conversation chat --title T",
        "open": "open --store phone --now 1 push",
        "simulate": "simulate --store phone push",
        "split add": "split add --store phone split.json",
        "split allow": "split allow --store phone",
        "split deny": "split deny --store phone",
        "backup": "backup --store sealer --backup-key-file other.key other.backup",
        "restore": "restore --store other --key-file other.key --backup-key-file backup.key made.backup",
        "split export": "split export --store sealer --conversation legacy --output other.json",
        "audit checkpoint": "audit checkpoint --store sealer --output other.checkpoint",
        "rewrap": "rewrap --store sealer --new-key-file other.key",
        "attachment seal": "attachment seal push --output other.sealed --image other.json",
        "attachment open": "attachment open sealed --image image.json --output other.push",
    ]

    /// What the exit code is where the answer is no, or something is not reached.
    private static let statuses: [String: Int32] = ["open": 1, "rotate": 65]

    @Test func everyCommandThatChangesSomethingIsListed() {
        let names = CommandTable.standard.commands.filter(\.changesState).map(\.name)
        #expect(Set(names) == Set(Self.lines.keys))
    }

    /// Lines that are refused, with what is wrong with them.
    private static let refused =
        ["init --role sealer", "restore --backup-key-file backup.key made.backup"].flatMap { command in
            [
                "--key-file new.key --anchor new/anchor", "--key-file new.key --anchor new.key",
                "--key-file new.key --anchor open.key", "--key-file new/key", "--key-file /dev/zero", "--key-file open.key",
                "--key-file none/key", "--key-file short.key", "--store none/new --key-file new.key",
                "--key-file new.key --access-group ../x", "--key-file new.key --unix-group nosuch",
                "--store /tmp --key-file new.key", "--store key --key-file new.key", "--store link --key-file new.key",
                "--store sealer --key-file new.key", "--key-file new.key --argon2id 1,8",
            ].map { "\(command) --store new \($0)" }
        } + [
            "init --role sealer --store new --key-file new.key --audit-key new.key",
            "init --role device --store new --key-file new.key --audit-key none/audit",
            "backup --store sealer --backup-key-file open.key new.backup",
            "backup --store sealer --backup-key-file none/key new.backup",
            "backup --store sealer --backup-key-file new.key made.backup",
            "backup --store sealer --backup-key-file new.key none/new.backup", "backup --store sealer new.backup",
            "rewrap --store sealer --new-key-file key", "rewrap --store sealer --new-key-file none/key",
            "rewrap --store sealer --new-key-file open.key",
            "rewrap --store sealer --key-file short.key --new-key-file new.key", "rewrap --store locked --class-keys",
            "rewrap --store lost --class-keys", "rewrap --store lost --new-key-file new.key",
            "config set --store sealer anchor open.key", "config set --store sealer anchor none/anchor",
        ]

    /// With `--dry-run` too, by the same words, and nothing stays of it.
    @Test func whatIsRefusedIsRefused() throws {
        let stores = try TestStores()
        for preparation in [
            "head -c 32 /dev/urandom > open.key; chmod 644 open.key; head -c 31 /dev/urandom > short.key; chmod 600 short.key",
            "keyctl backup --store sealer --backup-key-file backup.key made.backup; ln -s nowhere link",
            "keyctl init --store locked --role sealer --key-file locked.key && keyctl lock --store locked",
            "keyctl init --store lost --role sealer --key-file lost.key --anchor lost.anchor && rm lost.anchor",
        ] { _ = try stores.ends(preparation, 0) }
        let names = try stores.ends("ls -A", 0).outputLines
        for line in Self.refused {
            let before = Set(try StoreDump.of(stores.place.folder))
            let rehearsed = try stores.place.run("keyctl \(line) --dry-run")
            #expect(try Set(StoreDump.of(stores.place.folder)) == before, "\(line)")
            let real = try stores.place.run("keyctl \(line)")
            #expect(real.status != 0 && rehearsed.status == real.status, "\(line): \(rehearsed.errorText)\(real.errorText)")
            #expect(rehearsed.errorText == real.errorText, "\(line)")
            #expect(try stores.ends("ls -A", 0).outputLines == names, "\(line)")
        }
    }

    @Test func nothingChanges() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl init --store empty --role sealer --key-file empty.key", 0)
        _ = try stores.ends("keyctl init --store fresh --role device --passphrase-fd 3 --argon2id 1,8 3< passcode", 0)
        _ = try stores.ends("keyctl provision --store sealer --conversation lone", 0)
        _ = try stores.ends("keyctl provision --store sealer --conversation waiting --device $device", 0)
        _ = try stores.ends("keyctl rotate --store sealer --conversation waiting --rekey", 0)
        for name in ["held", "ended"] {
            _ = try stores.ends("keyctl provision --store sealer --conversation \(name) --device $device", 0)
        }
        _ = try stores.ends("keyctl suspend --store sealer --conversation held", 0)
        _ = try stores.ends("keyctl retire --store sealer --conversation ended --force", 0)
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        _ = try stores.ends("keyctl bundle --store sealer --device $device --json > bundles.json", 0)
        let text = String(decoding: try stores.place.read("bundles.json"), as: UTF8.self)
        let sequence = try #require(text.firstMatch(of: /"seq":([0-9]+)/)).output.1
        _ = try stores.ends("keyctl backup --store sealer --backup-key-file backup.key made.backup", 0)
        _ = try stores.ends("keyctl attachment seal push --output sealed > image.json", 0)
        let before = try StoreDump.of(stores.place.folder)
        for (name, line) in Self.lines {
            let line = line.replacingOccurrences(of: "$seq", with: sequence)
            let status = Self.statuses[name] ?? 0
            let plain = try stores.ends("keyctl \(line) --dry-run", status)
            if name != "open" {
                // Before and after are those of a notification there.
                let first = name == "simulate" ? "dry run: nothing is kept\n" : ""
                #expect(plain.outputText.hasPrefix(first + "before:\n") && plain.outputText.contains("\nafter:\n"), "\(name)")
                let json = try stores.ends("keyctl \(line) --dry-run --json", status)
                #expect(json.outputText.hasPrefix(#"{"dry_run":true,"before":"#), "\(name): \(json.outputText)")
            }
            let after = try StoreDump.of(stores.place.folder)
            let changed = Set(after).symmetricDifference(before).map { $0.prefix(60) }
            #expect(changed.isEmpty, "\(name): \(changed)")
        }
        #expect(try stores.ends("keyctl status --store phone", 0).outputText.contains("unlocked,"))
    }
}
