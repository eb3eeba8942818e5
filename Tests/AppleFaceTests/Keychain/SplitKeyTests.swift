import CryptoPrimitives
import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// The split profile on a phone: two keys at most, none of which serves another profile, and nothing that was given up comes back.
@Suite struct SplitKeyTests {
    private let phone: FacePhone
    private let app: OpenerApp
    private var settings: OpenerSettings

    init() throws {
        phone = try FacePhone()
        settings = phone.settings
        settings.allowsSplit = true
        app = try OpenerApp(settings)
        _ = try app.identity.make(name: "phone")
    }

    private func key(_ number: UInt8) -> SymmetricKey { SymmetricKey(data: [UInt8](repeating: number, count: 32)) }

    private func document(_ number: UInt8, until: Int64? = nil, in conversation: String = "split-1") throws -> [UInt8] {
        try SplitKeyDocument(
            conversation: try ConversationIdentifier(conversation), key: key(number), until: until ?? phone.now + 1_000
        ).json()
    }

    /// What is shown for three fields sealed with that key, and the outcome.
    private func show(_ number: UInt8, _ settings: OpenerSettings? = nil) throws -> String {
        let box = try AES.GCM.seal(Array("split \(number)".utf8), using: key(number), nonce: AES.GCM.Nonce(), authenticating: [UInt8]())
        let fields = [
            "ciphertext": Base64.encode(Array(box.ciphertext)), "nonce": Base64.encode(Array(box.nonce)),
            "tag": Base64.encode(Array(box.tag)),
        ]
        return try Push.show(fields, on: phone, settings ?? self.settings).body
    }

    private var placeholder: String { "New message (ours)" }

    private func outcomes() throws -> [Outcome: Int] { try app.telemetry().decryption.failed }

    @Test func itOpensWhereItIsAllowed() throws {
        try app.add(splitKey: document(1))
        #expect(try show(1) == "split 1")
        #expect(try show(1, phone.settings) == placeholder)
        #expect(try show(2) == placeholder)
        #expect(try outcomes() == [.unsupported: 1, .notAuthentic: 1])
        let items = phone.device.items
        #expect(items.filter { $0.data == Data(repeating: 1, count: 32) }.map(\.accessible) == ["cku"])
    }

    @Test func ofThreeTheOldestGoesAndTheSameAgainChangesNothing() throws {
        try app.add(splitKey: document(1))
        try app.add(splitKey: document(2))
        let before = phone.device.items
        try app.add(splitKey: document(1))
        #expect(phone.device.items == before)
        try app.add(splitKey: document(3))
        #expect(try [show(1), show(2), show(3)] == [placeholder, "split 2", "split 3"])
        #expect(!phone.device.items.contains { $0.data == Data(repeating: 1, count: 32) })
    }

    @Test func aKeyIsOfOneConversationUntilOneTimeAndOfOneProfile() throws {
        try app.add(splitKey: document(2))
        let bundle = try phone.bundle(for: try app.identity.enrollmentDocument(), handle: 2)
        #expect(app.accept(bundle: bundle).outcome == .conflict)
        let other = try phone.bundle(for: try app.identity.enrollmentDocument(), handle: 1)
        #expect(app.accept(bundle: other).outcome == .installed)
        for document in [try document(2, in: "split-2"), try document(2, until: phone.now + 1), try document(1)] {
            #expect(throws: DeviceSetupError.splitKeyConflict) { try app.add(splitKey: document) }
        }
        #expect(throws: DeviceSetupError.self) { try app.add(splitKey: Array("{}".utf8)) }
        #expect(try show(2) == "split 2")
    }

    @Test func whatWasGivenUpDoesNotComeBack() throws {
        try phone.acceptFirstBundle(in: app)
        try app.add(splitKey: document(2))
        for conversation in ["split-1", "conv-1"] { try app.revoke(try ConversationIdentifier(conversation)) }
        #expect(try show(2) == placeholder)
        #expect(try Push.show(try phone.seal(), on: phone).body == placeholder)
        #expect(try outcomes() == [.keyRevoked: 2])
        #expect(throws: DeviceSetupError.splitKeyConflict) { try app.add(splitKey: document(2)) }
        let again = try phone.bundle(for: try app.identity.enrollmentDocument(), epoch: 4, sequence: 300)
        #expect(app.accept(bundle: again).outcome == .conflict)
        #expect(!phone.device.items.contains { $0.data == Data(repeating: 2, count: 32) })
        // Those that were given up are none of the two.
        for number: UInt8 in [3, 4] { try app.add(splitKey: document(number)) }
        #expect(try show(3) == "split 3")
    }

    @Test func itsBytesGoAfterItsEndAndItsNameLater() throws {
        let until = phone.now + 1_000
        try app.add(splitKey: document(1, until: until))
        func keys(at time: Int64) throws -> [HeldSplitKey] {
            let keychain = try phone.keychain { time }
            try keychain.eraseEnded()
            return try keychain.splitKeys()
        }
        guard case .value = try #require(try keys(at: until).first).key else { return #expect(Bool(false), "it opens at its end") }
        for time in [until + 1, until + 35 * 86_400] {
            guard case .absent = try #require(try keys(at: time).first).key else { return #expect(Bool(false), "it is erased") }
        }
        #expect(try keys(at: until + 35 * 86_400 + 1).isEmpty)
    }

    @Test func lockedIsNotMissing() throws {
        try app.add(splitKey: document(1))
        let bundle = try phone.bundle(for: try app.identity.enrollmentDocument(), handle: 9, accessible: .whenUnlocked)
        #expect(app.accept(bundle: bundle).outcome == .installed)
        phone.device.lockState = .locked
        #expect(try show(1) == "split 1")
        // It cannot be compared with what is locked.
        let error = #expect(throws: DeviceSetupError.self) { try app.add(splitKey: document(2)) }
        guard case .keychain(let keychain) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(keychain.isLocked)
        phone.device.lockState = .beforeFirstUnlock
        #expect(try show(1) == placeholder)
        #expect(try outcomes() == [.keyLocked: 1])
    }

    @Test(arguments: LedgerFaultTests.Kind.allCases) func itIsKeptWhollyOrNotAtAll(_ kind: LedgerFaultTests.Kind) throws {
        var call = 0
        var added: Set<Bool> = []
        while true {
            let phone = try FacePhone()
            let app = try OpenerApp(phone.settings)
            _ = try app.identity.make(name: "phone")
            for number: UInt8 in [1, 2] { try app.add(splitKey: document(number)) }
            let before = try phone.keychain().ledger()
            phone.device.setFault { [call] number, _ in number == call || kind == .kill && number > call ? -25291 : nil }
            let isAdded = (try? app.add(splitKey: document(3))) != nil
            let isReached = phone.device.calls > call
            phone.device.setFault(nil)
            let after = try phone.keychain().ledger()
            added.insert(isAdded)
            #expect((after == before) == !isAdded, "\(call)")
            try phone.keychain().eraseEnded()
            #expect(
                Set(phone.device.items.filter { $0.service == "waxwing.secret" }.map(\.account)) == after.items, "\(call)")
            guard isReached else { break }
            call += 1
        }
        #expect(call > 3 && added == [true, false])
    }
}
