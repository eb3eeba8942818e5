import CryptoPrimitives
import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Security
import Testing

@testable import OpenerNSEApple

/// How items lie in the keychain, and what its status codes come to.
@Suite struct SecItemTests {
    @Test(arguments: AccessibilityClass.allCases.filter(\.isProvisionable))
    func eachItemIsOfItsClassAndNeverSynchronized(_ accessible: AccessibilityClass) throws {
        let phone = try FacePhone()
        try phone.provision(accessible: accessible)
        let attributes: [AccessibilityClass: CFString] = [
            .whenUnlocked: kSecAttrAccessibleWhenUnlocked,
            .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock,
            .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let own = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        let expected = [own, own, own, try #require(attributes[accessible]) as String].sorted()
        let items = phone.device.items
        #expect(items.map(\.accessible).sorted() == expected)
        #expect(items.allSatisfy { $0.group == phone.keychainGroup && !$0.isSynchronizable && $0.isDataProtected })
        // The device key, the enrollment secret and C_0; the ledger has none of them.
        let secrets = items.filter { $0.service == "waxwing.secret" }
        let ledger = try #require(items.first { $0.service == "waxwing.ledger" })
        #expect(secrets.count == 3 && secrets.allSatisfy { $0.data.count == 32 })
        for secret in secrets {
            #expect(ledger.data.range(of: secret.data) == nil)
            #expect(ledger.data.range(of: Data(Base64URL.encode(secret.data).utf8)) == nil)
        }
    }

    @Test(arguments: [errSecInteractionNotAllowed, errSecMissingEntitlement, errSecNotAvailable, errSecDecode, errSecParam])
    func everyStatusIsNeitherAbsentNorSilent(_ status: OSStatus) throws {
        let phone = try FacePhone()
        try phone.provision()
        phone.device.setFault { _, _ in status }
        let keychain = try phone.keychain()
        let error = #expect(throws: KeychainUnavailable.self) { try keychain.thumbprint() }
        #expect(error?.isLocked == (status == errSecInteractionNotAllowed))
        #expect(phone.lines.contains { $0.contains("SecItemCopyMatching waxwing.ledger") && $0.contains("\(status)") })
    }

    @Test func aDamagedLedgerIsNotAnEmptyOne() throws {
        let phone = try FacePhone()
        let store = try phone.keychain().store
        try store.add("ledger", .ledger, Data(#"{"version":1}"#.utf8), .standard)
        #expect(throws: KeychainUnavailable(reason: "the ledger is damaged")) { try phone.keychain().thumbprint() }
        #expect(throws: DeviceSetupError.self) { try phone.app().identity.make(name: "phone") }
        #expect(phone.device.items.count == 1)
    }

    @Test func aLedgerComesBackAsItWasWritten() throws {
        let phone = try FacePhone()
        var ledger = KeychainLedger()
        #expect(KeychainLedger(json: ledger.json) == ledger)
        for (number, state) in KeyState.allCases.enumerated() {
            ledger.add(
                HeldEpoch(
                    conversation: phone.conversation, algorithm: number % 2 == 0 ? .dir : .hpke7, kid: try phone.kid(number),
                    state: state, openUntil: number == 1 ? nil : Int64(number), accessible: AccessibilityClass.allCases[number % 5],
                    installation: Int64(number)),
                item: "item \(number)")
        }
        ledger.epochs[2].item = nil
        for state in KeyState.allCases {
            ledger.splitKeys.append(
                LedgerSplitKey(
                    name: [7], conversation: phone.conversation, until: 9, state: state, item: state == .active ? "split" : nil))
        }
        ledger.lastSequence = 7
        ledger.installed = [[1, 2], [3]]
        ledger.identity = LedgerIdentity(
            publicKey: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation), name: "n", keyItem: "k", secretItem: "s")
        #expect(KeychainLedger(json: ledger.json) == ledger)
        #expect(ledger.items == Set((0...5).filter { $0 != 2 }.map { "item \($0)" } + ["k", "s", "split"]))
    }

    @Test func theLatestBundlesAreKnownAgainAndNoMoreThanThat() {
        var ledger = KeychainLedger()
        for number in 0..<(KeychainLedger.installedLimit + 3) { ledger.add(installed: [UInt8(number & 0xFF), UInt8(number >> 8)]) }
        ledger.add(installed: [9, 0])
        #expect(ledger.installed.count == KeychainLedger.installedLimit && ledger.installed.last == [9, 0])
        #expect(!ledger.installed.contains([0, 0]) && Set(ledger.installed).count == ledger.installed.count)
    }

    @Test func whatHasEndedIsErasedAndItsNameLater() throws {
        let phone = try FacePhone()
        try phone.provision()
        let kid = try phone.kid()
        let end = phone.now + 100
        try phone.keychain().update { _ throws(KeychainUnavailable) in ((), [.set(kid, state: .active, openUntil: end)]) }
        func held(at time: Int64) throws -> (Int, Held<ConversationSecret>, Int) {
            let keychain = try phone.keychain { time }
            try keychain.eraseEnded()
            return (
                try keychain.epochs(of: kid.handle).count, try keychain.secret(of: kid),
                phone.device.items.filter { $0.service == "waxwing.secret" }.count
            )
        }
        let atEnd = try held(at: end)
        #expect(atEnd.0 == 1 && atEnd.2 == 3)
        guard case .value = atEnd.1 else { return #expect(Bool(false), "it still opens at its end") }
        for time in [end + 1, end + 35 * 86_400] {
            let past = try held(at: time)
            #expect(past.0 == 1 && past.2 == 2)
            guard case .absent = past.1 else { return #expect(Bool(false), "it is erased past its end") }
        }
        #expect(try held(at: end + 35 * 86_400 + 1).0 == 0)
    }

    @Test func theSameEpochAgainIsSuccessAndOtherBytesAreNot() throws {
        let phone = try FacePhone()
        try phone.provision()
        let keychain = try phone.keychain()
        let held = try #require(try keychain.epochs(of: try phone.kid().handle).first)
        let (same, other) = (try phone.secret(), try phone.secret(handle: 2))
        try keychain.update { _ throws(KeychainUnavailable) in ((), [.add(held, same)]) }
        let before = phone.device.items
        #expect(throws: KeychainUnavailable.self) {
            try keychain.update { _ throws(KeychainUnavailable) in ((), [.add(held, other), .lastSequence(900)]) }
        }
        #expect(phone.device.items == before)
    }
}
