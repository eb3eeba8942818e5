import Foundation
import Testing

/// Several operators and a sealer at work on one store, each a process of its own.
@Suite struct OperatorsTests {
    private static let conversations = 400

    /// A line of JSON for each conversation; the phone is a member of every hundredth.
    private func provision(_ stores: TestStores) throws {
        let lines = (0..<Self.conversations).map { number in
            let devices = number.isMultiple(of: 100) ? "\"\(stores.device)\"" : ""
            return "{\"conversation\":\"c-\(1_000 + number)\",\"devices\":[\(devices)]}\n"
        }
        try stores.place.write(lines.joined(), to: "conversations")
        let made = try stores.ends("keyctl provision --store sealer --from conversations", 0)
        #expect(made.outputLines.count == Self.conversations)
    }

    /// The epochs of all conversations by name.
    private func epochs(_ stores: TestStores) throws -> [String: Int] {
        let lines = try stores.ends("keyctl list --store sealer --json", 0).outputText
        let pattern = /"conversation":"([^"]+)","alg":"dir"[^{}]*?"kid":"[^"]+\.([0-9]+)"/
        var epochs: [String: Int] = [:]
        for match in lines.matches(of: pattern) { epochs[String(match.output.1)] = Int(match.output.2) }
        return epochs
    }

    /// Every step that was taken was reported by the one who took it, no other was, and every push opens.
    @Test func twoRotateEverythingWhileOthersRotateOneAndSeal() throws {
        let stores = try TestStores()
        try provision(stores)
        let scripts = [
            "keyctl rotate --store sealer --all > all.1",
            "keyctl rotate --store sealer --all > all.2",
            "for n in 1 2 3 4 5 6 7 8; do keyctl rotate --store sealer --conversation c-1100 > one.$n || exit 1; done",
            "for n in 1 2 3 4 5 6 7 8; do keyctl rotate --store sealer --conversation c-1100 > two.$n || exit 1; done",
            "for n in $(seq 20); do echo $n | keyctl seal --store sealer --conversation c-1100 --body-file - > push.$n "
                + "|| exit 1; done",
        ]
        for (number, script) in scripts.enumerated() { try stores.place.write(script, to: "operator.\(number)") }
        _ = try stores.ends("ls operator.* | xargs -P \(scripts.count) -n 1 sh", 0)

        var steps: [String: Int] = [:]
        var kids: [String] = []
        for line in try stores.ends("cat all.1 all.2", 0).outputLines {
            let words = line.split(separator: " ").map(String.init)
            steps[words[0], default: 0] += 1
            kids.append(words[1])
        }
        let single = try stores.ends("cat one.* two.*", 0).outputLines
        #expect(single.count == 16)
        steps["c-1100", default: 0] += single.count
        kids += single
        // No step was reported twice, and no step was taken that nobody reported.
        #expect(Set(kids).count == kids.count)
        let epochs = try epochs(stores)
        #expect(epochs.count == Self.conversations + 1)
        for (name, epoch) in epochs { #expect(steps[name] == epoch, "\(name)") }

        _ = try stores.ends("keyctl bundle --store sealer --device $device | keyctl accept --store phone", 0)
        for number in (1...20).reversed() {
            #expect(try stores.ends("keyctl open --store phone push.\(number)", 0).outputLines == ["opened", "\(number)"])
        }
        _ = try stores.ends("keyctl status --store sealer --verify", 0)
    }

    /// An interrupt ends the job between two batches; what is done stays done, and the same command does the rest.
    @Test func anInterruptedRotationIsTakenUp() throws {
        let stores = try TestStores()
        try provision(stores)
        // Stopped until the interrupt is waiting for it, so that it comes before the second batch at the latest.
        let line = """
            keyctl rotate --store sealer --all > first & pid=$!
            while kill -0 $pid 2> /dev/null && ! test -s first; do :; done
            kill -INT $pid 2> /dev/null; wait $pid
            """
        try stores.place.write("trap - INT\nset -m\n\(line)\n", to: "interrupt")
        let first = try stores.place.run("bash interrupt")
        let done = try stores.ends("cat first", 0).outputLines
        #expect(first.status == 75 || first.status == 0)
        if first.status == 75 {
            #expect(first.errorText.contains("interrupted after") && first.errorText.contains("repeat it for the rest"))
            let rest = try stores.ends("keyctl rotate --store sealer --all", 0)
            #expect(rest.errorText.contains("going on after"))
            #expect(done.count + rest.outputLines.count == Self.conversations + 1)
        }
        #expect(try Set(epochs(stores).values) == [1])
    }

    /// Also while it waits for its input, or reads a line without an end.
    @Test(arguments: [
        "sleep 60 > pipe & exec 3< pipe", "{ echo '{\"conversation\":\"first\"}'; sleep 60; } > pipe & exec 3< pipe",
        "exec 3< /dev/zero",
    ])
    func anInterruptEndsAListThatGoesOn(_ input: String) throws {
        let stores = try TestStores()
        // Sent when it is held back, before which it ends any program.
        try stores.place.write(
            """
            trap - INT
            set -m
            mkfifo pipe
            \(input)
            keyctl provision --store sealer --from - <&3 > made & pid=$!
            until grep -q keyctl /proc/$pid/comm && grep -q 'SigBlk:.*4007$' /proc/$pid/status; do :; done
            kill -INT $pid; wait $pid; code=$?
            kill %1 2> /dev/null
            exit $code
            """, to: "interrupt")
        let ended = try stores.place.run("bash interrupt")
        #expect(ended.status == 75 && ended.errorText.contains("interrupted after"), "\(ended.errorText)")
        _ = try stores.ends("keyctl status --store sealer --verify", 0)
    }

    @Test func linesOfAFileAreProvisionedInBatchesAndRepeatedWithoutHarm() throws {
        let stores = try TestStores()
        try provision(stores)
        let kids = try stores.ends("keyctl provision --store sealer --from conversations", 0).outputLines
        #expect(kids.count == Self.conversations && kids.allSatisfy { $0.hasSuffix(" already") })
        try stores.place.write("{\"conversation\":\"c-1001\"}\n\nnonsense\n{\"conversation\":\"new\"}", to: "more")
        let more = try stores.ends("keyctl provision --store sealer --from more --json", 65)
        #expect(more.outputText.contains(#""already":true"#) && more.outputText.contains(#""conversation":"new""#))
        #expect(more.outputText.contains(#""line":3"#) && more.errorText.contains("error: line 3: "))
        #expect(try epochs(stores).count == Self.conversations + 2)
    }

    @Test func aLineThatIsTooLongIsRefusedLikeAnyOther() throws {
        let stores = try TestStores()
        let long = "head -c 3000000 /dev/zero | tr '\\0' x"
        _ = try stores.ends("{ echo '{\"conversation\":\"a\"}'; \(long); echo; echo '{\"conversation\":\"b\"}'; } > lines", 0)
        let made = try stores.ends("keyctl provision --store sealer --from lines", 65)
        #expect(made.outputLines.map { $0.prefix(2) } == ["a ", "b "])
        #expect(made.errorText == "keyctl: error: line 2: is longer than 1048576 bytes\n")
        let json = try stores.ends("keyctl provision --store sealer --from lines --json", 65)
        #expect(json.outputText.contains(#"{"conversation":null,"line":2,"error":"is longer than 1048576 bytes"}"#))
        _ = try stores.ends("{ \(long); echo; cat bundles; \(long); } > many", 0)
        let accepted = try stores.ends("keyctl accept --store phone many", 65)
        #expect(accepted.outputLines.map { $0.prefix(9) } == ["malformed", "installed", "malformed"])
        #expect(accepted.errorLines.map { $0.prefix(23) } == ["keyctl: error: line 1: ", "keyctl: error: line 3: "])
    }

    @Test func theDocumentIsWrittenWhenTheInputFails() throws {
        let stores = try TestStores()
        for line in ["keyctl provision --store sealer --from . --json", "keyctl accept --store phone --json ."] {
            let failed = try stores.ends(line, 65)
            #expect(["{\"conversations\":[]}\n", "{\"bundles\":[]}\n"].contains(failed.outputText))
            #expect(failed.errorText == "keyctl: error: .: is a directory where a file is needed\n")
        }
    }

    /// However many there are before them.
    @Test func aDryRunShowsTheConversationsOfTheList() throws {
        let stores = try TestStores()
        let many = "seq 1001 2100 | sed 's/.*/{\"conversation\":\"c-&\"}/'"
        _ = try stores.ends("\(many) | keyctl provision --store sealer --from - > made", 0)
        let lines = ["c-2000", "z-1", "z-2", "z-1"].map { "{\"conversation\":\"\($0)\"}\n" }
        try stores.place.write(lines.joined() + "nonsense\n", to: "lines")
        let plain = try stores.ends("keyctl provision --store sealer --from lines --dry-run", 65)
        let shown = plain.outputLines.map { $0.split(separator: " ").prefix(1).joined() }
        #expect(shown == ["before:", "c-2000", "after:", "c-2000", "z-1", "z-2"])
        let json = try stores.ends("keyctl provision --store sealer --from lines --dry-run --json", 65)
        let names = json.outputText.matches(of: /"(before|after)"|"conversation":"([^"]+)"/)
            .map { String($0.output.1 ?? $0.output.2 ?? "") }
        #expect(names == ["before", "c-2000", "after", "c-2000", "z-1", "z-2"])
        #expect(try stores.ends("keyctl list --store sealer --after c-2100", 0).outputLines.count == 2)
    }
}
