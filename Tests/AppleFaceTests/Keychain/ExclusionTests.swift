import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// Of app and extension one writes at a time.
@Suite struct ExclusionTests {
    @Test func manyWritersLoseNothing() throws {
        let phone = try FacePhone()
        let document = try phone.provision()
        let bundles = try (0..<16).map { try phone.bundle(for: document, handle: UInt8($0 + 2), sequence: Int64(200 + $0)) }
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            // A number below one that was accepted meanwhile is replayed, and is none of this test's: each takes it again.
            _ = try? phone.app().accept(bundle: bundles[number])
        }
        let ledger = try phone.keychain().ledger()
        #expect(ledger.lastSequence == 215)
        #expect(Set(ledger.epochs.map(\.epoch.installation)).count == ledger.epochs.count)
        #expect(Set(phone.device.items.filter { $0.service == "waxwing.secret" }.map(\.account)) == ledger.items)
    }

    @Test func anUpdateSeesWhatTheOneBeforeLeft() throws {
        let phone = try FacePhone()
        try phone.provision()
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            guard let keychain = try? phone.keychain() else { return }
            try? keychain.update { records throws(KeychainUnavailable) in
                let last = try records.lastSequence() ?? 0
                // Time for others to come between, if they could.
                for _ in 0..<20 { _ = try keychain.thumbprint() }
                return ((), [.lastSequence(last + 1)])
            }
        }
        #expect(try phone.keychain().lastSequence() == 140)
    }

    @Test func anotherProcessIsWaitedFor() throws {
        let phone = try FacePhone()
        try phone.provision()
        let directory = try GroupContainer(phone.appGroup).directory
        let other = Process()
        let (input, output) = (Pipe(), Pipe())
        other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        other.arguments = [directory.path + "/" + SecItemKeychain.lock, "sh", "-c", "echo held; cat"]
        (other.standardInput, other.standardOutput) = (input, output)
        try other.run()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "held\n")
        let isReleased = Locked(false)
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let wasReleased = Locked(false)
        Thread.detachNewThread {
            begun.signal()
            try? phone.keychain().update { _ throws(KeychainUnavailable) in
                wasReleased.with { $0 = isReleased.with { $0 } }
                return ((), [.lastSequence(900)])
            }
            ended.signal()
        }
        begun.wait()
        // Reading needs no turn. Without exclusion, the other thread would be through long before this is.
        for _ in 0..<300 { #expect(try phone.keychain().lastSequence() == 100) }
        isReleased.with { $0 = true }
        input.fileHandleForWriting.closeFile()
        ended.wait()
        other.waitUntilExit()
        #expect(wasReleased.with { $0 })
        #expect(try phone.keychain().lastSequence() == 900)
    }

    @Test func withoutAContainerNothingIsChanged() throws {
        let phone = try FacePhone()
        try phone.provision()
        var settings = phone.settings
        settings.appGroup = "group.of.nobody"
        let keychain = DeviceParts(settings).keychain
        let before = phone.device.items
        #expect(throws: KeychainUnavailable.self) {
            try keychain.update { _ throws(KeychainUnavailable) in ((), [.lastSequence(900)]) }
        }
        #expect(phone.device.items == before)
        #expect(throws: DeviceSetupError.noContainer(appGroup: "group.of.nobody")) { try OpenerApp(settings) }
    }
}
