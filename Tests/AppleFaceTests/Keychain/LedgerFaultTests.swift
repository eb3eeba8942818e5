import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// A kill or a failure at any call of the keychain leaves the state before or the one after, and nothing that cannot be cleaned up.
@Suite struct LedgerFaultTests {
    enum Kind: CaseIterable {
        /// One call fails.
        case failure
        /// The process is killed: no call after it does anything.
        case kill
    }

    private func setFault(_ kind: Kind, at call: Int, on phone: FacePhone) {
        phone.device.setFault { number, _ in number == call || kind == .kill && number > call ? -25291 : nil }
    }

    @Test(arguments: Kind.allCases) func aBundleIsInstalledWhollyOrNotAtAll(_ kind: Kind) throws {
        var outcomes: Set<Outcome> = []
        var call = 0
        while true {
            let phone = try FacePhone()
            let document = try phone.provision()
            let before = try phone.keychain().ledger()
            let bundle = try phone.bundle(for: document, epoch: 3, sequence: 200)
            setFault(kind, at: call, on: phone)
            let outcome = try phone.app().accept(bundle: bundle).outcome
            let isReached = phone.device.calls > call
            phone.device.setFault(nil)
            let after = try phone.keychain().ledger()
            outcomes.insert(outcome)
            // Once the ledger is replaced, what fails is the removal of orphans.
            #expect((after == before) == (outcome != .installed), "\(call)")
            #expect(after == before || after.lastSequence == 200 && after.epochs.count == 2)
            try expectWhole(phone)
            // It can be offered again, and leaves nothing behind.
            let again = try phone.app().accept(bundle: bundle)
            #expect(again.outcome == (outcome == .installed ? .replayed : .installed), "\(call)")
            try phone.keychain().eraseEnded()
            #expect(
                Set(phone.device.items.filter { $0.service == "waxwing.secret" }.map(\.account)) == (try phone.keychain().ledger().items))
            guard isReached else { break }
            call += 1
        }
        #expect(call > 8 && outcomes == [.installed, .storeUnavailable])
    }

    @Test(arguments: Kind.allCases) func anIdentityIsMadeWhollyOrNotAtAll(_ kind: Kind) throws {
        var call = 0
        var made = 0
        while true {
            let phone = try FacePhone()
            let app = try phone.app()
            setFault(kind, at: call, on: phone)
            let document = try? app.identity.make(name: "phone")
            let isReached = phone.device.calls > call
            phone.device.setFault(nil)
            #expect(try app.identity.thumbprint() == document?.thumbprint, "\(call)")
            if let document {
                made += 1
                #expect(throws: DeviceSetupError.identityExists(document.thumbprint)) { try app.identity.make(name: "again") }
            } else {
                let later = try app.identity.make(name: "phone")
                #expect(try app.identity.thumbprint() == later.thumbprint)
            }
            #expect(
                Set(phone.device.items.filter { $0.service == "waxwing.secret" }.map(\.account)).isSuperset(
                    of: try phone.keychain().ledger().items))
            guard isReached else { break }
            call += 1
        }
        #expect(call > 4 && made > 0)
    }

    @Test(arguments: Kind.allCases) func whatHasEndedIsErasedAfterTheLedgerLetItGo(_ kind: Kind) throws {
        var call = 0
        var changed: Set<Bool> = []
        while true {
            let phone = try FacePhone()
            try phone.provision()
            let (kid, end) = (try phone.kid(), phone.now + 100)
            try phone.keychain().update { _ throws(KeychainUnavailable) in ((), [.set(kid, state: .active, openUntil: end)]) }
            let keychain = try phone.keychain { end + 1 }
            let before = try keychain.ledger()
            setFault(kind, at: call, on: phone)
            try? keychain.update { _ throws(KeychainUnavailable) in ((), [.lastSequence(300)]) }
            let isReached = phone.device.calls > call
            phone.device.setFault(nil)
            let after = try keychain.ledger()
            changed.insert(after != before)
            #expect(after == before || after.lastSequence == 300 && after.entry(kid)?.item == nil, "\(call)")
            try expectWhole(phone)
            try keychain.eraseEnded()
            #expect(phone.device.items.filter { $0.service == "waxwing.secret" }.count == 2, "\(call)")
            guard isReached else { break }
            call += 1
        }
        #expect(call > 4 && changed == [true, false])
    }

    @Test(arguments: Kind.allCases) func aMessageOpensWhateverFailsWhileItsStepIsKept(_ kind: Kind) throws {
        var call = 0
        var bodies: Set<String> = []
        while true {
            let phone = try FacePhone()
            try phone.provision()
            setFault(kind, at: call, on: phone)
            let body = try Push.show(try phone.seal(1, epoch: 5), on: phone).body
            let isReached = phone.device.calls > call
            phone.device.setFault(nil)
            bodies.insert(body)
            try expectWhole(phone)
            #expect(try Push.show(try phone.seal(2, epoch: 5), on: phone).body == "inside 2")
            #expect(try phone.keychain().ledger().epochs.map(\.epoch.kid.epoch) == [0, 5])
            guard isReached else { break }
            call += 1
        }
        #expect(call > 6 && bodies == ["inside 1", "New message (ours)"])
    }

    /// Every secret that the ledger names is there.
    private func expectWhole(_ phone: FacePhone) throws {
        let accounts = Set(phone.device.items.filter { $0.service == "waxwing.secret" }.map(\.account))
        #expect(accounts.isSuperset(of: try phone.keychain().ledger().items))
    }
}
