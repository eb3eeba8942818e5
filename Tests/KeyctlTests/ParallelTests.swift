import Foundation
import Testing

/// Several programs on one store at the same time.
@Suite struct ParallelTests {
    private static let count = 24

    /// Not the shell's `wait`: it never returns where the threads of the tests have SIGCHLD blocked.
    private static func atOnce(_ line: String) -> String {
        "seq \(count) | xargs -P \(count) -I N sh -c '\(line)'"
    }

    @Test func eachRotationPrintsItsOwnKid() throws {
        let stores = try TestStores()
        let line = "keyctl rotate --store sealer --conversation chat"
        _ = try stores.ends(Self.atOnce("\(line) > kid.N"), 0)
        let kids = try stores.ends("cat kid.*", 0).outputLines
        #expect(kids.count == Self.count && Set(kids).count == Self.count)
        let epochs = Set(kids.compactMap { $0.split(separator: ".").last.flatMap { Int($0) } })
        #expect(epochs == Set(1...Self.count))
    }

    /// Who reads while keys change takes the store for no older one.
    @Test func readersBesideAWriterGiveNoAlarm() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl config set --store sealer anchor anchor", 0)
        try stores.place.write(
            """
            case $1 in
            0) until test -e over; do keyctl rotate --store sealer --conversation chat || exit 1; done ;;
            1) for i in 1 2 3 4 5 6 7 8 9 10; do
                   keyctl status --store sealer && keyctl status --store sealer --verify \
                       && keyctl backup --store sealer --backup-key-file bk backup.$i || { touch over; exit 1; }
               done; touch over ;;
            esac > log.$1
            """, to: "work")
        _ = try stores.ends("seq 0 1 | xargs -P 2 -I N sh work N", 0)
        _ = try stores.ends("keyctl status --store sealer --verify", 0)
    }

    @Test func eachRekeyPrintsItsOwnSecret() throws {
        let stores = try TestStores()
        let line = "keyctl rotate --store sealer --conversation chat --rekey --restart --json"
        _ = try stores.ends(Self.atOnce("\(line) > rekey.N"), 0)
        let documents = try stores.ends("cat rekey.*", 0).outputLines
        let waiting = documents.compactMap { $0.firstMatch(of: /"waiting":"([^"]+)"/)?.output.1 }
        #expect(waiting.count == Self.count && Set(waiting).count == Self.count)
    }
}
