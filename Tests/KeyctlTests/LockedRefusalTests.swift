import Testing

/// What a locked store refuses is in its audit log, whichever step of the command was refused.
@Suite struct LockedRefusalTests {
    @Test func everyOperationThatIsRefusedIsWritten() throws {
        let stores = try TestStores()
        _ = try stores.ends("echo '{\"conversation\":\"listed\",\"devices\":[\"'$device'\"]}' > list", 0)
        _ = try stores.ends("echo '{\"conversation\":\"listed\"}' > alone", 0)
        _ = try stores.ends("keyctl lock --store sealer", 0)
        for line in [
            "member add --conversation chat --device $device", "member remove --conversation chat --device $device",
            "device remove $device", "device enroll enrollment.json", "device enroll enrollment.json --replaces $device",
            "bundle --device $device", "bundle ack --device $device --seq 1",
            "provision --conversation new", "provision --conversation new --device $device", "provision --from list",
            "provision --from alone", "rotate --conversation chat", "rotate --all", "rotate --all --rekey",
            "promote --conversation chat", "suspend --conversation chat", "resume --conversation chat",
            "revoke --conversation chat", "retire --conversation chat", "destroy --conversation chat",
            "split export --conversation legacy --output other", "backup --backup-key-file other.key other",
        ] {
            let before = try entries(stores)
            _ = try stores.ends(
                "keyctl \(line.replacing(" --", with: " --store sealer --", maxReplacements: 1)) \(line.contains(" --") ? "" : "--store sealer")",
                77)
            let new = try entries(stores).dropFirst(before.count)
            #expect(new.count == 1 && new.first?.contains("REFUSED") == true, "\(line): \(new)")
        }
    }

    /// A phone too: of a bundle it has installed before it writes nothing again.
    @Test func aBundleThatIsNotTakenIsWritten() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        let before = try entries(stores, "phone")
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        #expect(try entries(stores, "phone") == before)
        _ = try stores.ends("{ cat bundles; echo garbage; } | keyctl accept --store phone", 65)
        let new = try entries(stores, "phone").dropFirst(before.count)
        #expect(new.count == 1 && new.first?.contains("malformed") == true, "\(new)")
        _ = try stores.ends("echo garbage | keyctl accept --store phone --dry-run", 65)
        #expect(try entries(stores, "phone").count == before.count + 1)
    }

    private func entries(_ stores: TestStores, _ store: String = "sealer") throws -> [String] {
        try stores.ends("keyctl audit show --store \(store)", 0).outputText.split(separator: "\n").map(String.init)
    }
}
