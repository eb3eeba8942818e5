import Foundation
import Testing

/// A sealer store of a unix group with a key file: every member uses it, and nobody else.
@Suite(.enabled(if: OtherUsers.canRunTheProgram, "needs other users, who may run the program"))
struct GroupStoreTests {
    private func ends(_ place: Workplace, _ line: String, _ status: Int32) throws -> Finished {
        let finished = try place.run(line)
        #expect(finished.status == status, "\(line): \(finished.errorText)")
        return finished
    }

    @Test func everyMemberUsesIt() throws {
        let place = try OtherUsers.place()
        let made = try ends(place, "keyctl init --store s --role sealer --key-file key --unix-group daemon", 0)
        #expect(made.errorText.isEmpty)
        #expect(try ends(place, "stat -c '%a %g' key", 0).outputText == "640 1\n")
        _ = try ends(place, "\(OtherUsers.member) keyctl provision --store s --conversation chat", 0)
        _ = try ends(place, "\(OtherUsers.member) keyctl lock --store s && keyctl unlock --store s", 0)
        _ = try ends(place, "\(OtherUsers.member) keyctl status --store s --verify", 0)
        _ = try ends(place, "\(OtherUsers.stranger) keyctl status --store s", 77)
        _ = try ends(place, "\(OtherUsers.stranger) cat key", 1)
        let changed = try ends(place, "keyctl rewrap --store s --new-key-file other", 0)
        #expect(changed.errorText.isEmpty)
        _ = try ends(place, "\(OtherUsers.member) keyctl rotate --store s --all", 0)
    }

    /// The key file of a device store is somebody's to unlock it with.
    @Test func thatOfADeviceStoreIsItsOwners() throws {
        let place = try OtherUsers.place()
        let made = try ends(place, "keyctl init --store s --role device --key-file key --unix-group daemon", 0)
        #expect(made.errorText.isEmpty)
        #expect(try ends(place, "stat -c %a key", 0).outputText == "600\n")
        _ = try ends(place, "\(OtherUsers.member) keyctl device new --store s --name Anna", 0)
    }

    /// One that was there before, and is its owner's alone: it is said, and what shares it works.
    @Test(arguments: ["init --store s --role sealer --key-file 'a key' --unix-group daemon", "rewrap --store s --new-key-file 'a key'"])
    func oneThatMembersCannotReadIsSaid(_ line: String) throws {
        let place = try OtherUsers.place()
        _ = try ends(place, "head -c 32 /dev/urandom > 'a key'; chmod 600 'a key'", 0)
        if line.hasPrefix("rewrap") {
            _ = try ends(place, "keyctl init --store s --role sealer --key-file first --unix-group daemon", 0)
        }
        let warned = try ends(place, "keyctl \(line)", 0).errorText
        #expect(warned.hasPrefix("keyctl: warning: the store's unix group cannot read its key file"), "\(warned)")
        let refused = try ends(place, "\(OtherUsers.member) keyctl status --store s", 77).errorText
        let command = try #require(refused.firstMatch(of: /hint: its owner shares it: (.*)\n/)?.output.1)
        #expect(warned.contains(command))
        _ = try ends(place, String(command), 0)
        _ = try ends(place, "\(OtherUsers.member) keyctl status --store s", 0)
    }
}
