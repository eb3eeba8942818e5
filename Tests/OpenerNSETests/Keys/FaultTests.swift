import EnvelopeFormat
import OpenerNSE
import Testing

/// A keychain that fails at any one of its calls, or from there on.
@Suite struct FaultTests {
    @Test(arguments: [KeyAlgorithm.dir, .hpke7], [false, true]) func opening(
        _ algorithm: KeyAlgorithm, _ failsFromThereOn: Bool
    ) throws {
        var call = 0
        var outcomes: [Outcome] = []
        while true {
            call += 1
            let phone = try Phone()
            try phone.hold(0, handle: 2, algorithm: algorithm)
            try phone.hold(0, handle: 3, algorithm: algorithm)
            let message = try phone.message(1, algorithm, epoch: 4, handle: 3)
            let before = phone.keychain.snapshot
            let number = call
            phone.keychain.change {
                $0.failingCall = number
                $0.failsFromThereOn = failsFromThereOn
            }
            let opening = phone.open(message)
            let isDone = phone.keychain.calls < call
            outcomes.append(opening.outcome)
            switch opening.outcome {
            case .storeUnavailable:
                // Nothing is lost: it is not remembered, and opens once the keychain is back.
                #expect(opening.shown == Phone.placeholder)
                #expect(phone.replays.count == 0)
                #expect(phone.keychain.snapshot == before)
                phone.keychain.change { $0.failingCall = nil }
                #expect(phone.open(message).outcome == .opened)
                #expect(phone.keychain.heldEpochs(try Phone.handle(3)) == [0, 4])
            case .opened:
                #expect(opening.newContent?.body == "inside")
                // All of the step or none of it; what was not kept now is with the next message.
                if phone.keychain.snapshot == before {
                    phone.keychain.change { $0.failingCall = nil }
                    #expect(phone.open(try phone.message(2, algorithm, epoch: 4, handle: 3)).outcome == .opened)
                }
                #expect(phone.keychain.heldEpochs(try Phone.handle(3)) == [0, 4])
                #expect(phone.keychain.held(try phone.kid(0, try Phone.handle(2)))?.state == .deactivated)
            default: Issue.record("\(opening.outcome) at call \(call)")
            }
            if isDone { break }
            try #require(call < 50)
        }
        // First the key cannot be had, then the step cannot be kept, then nothing fails.
        #expect(outcomes.first == .storeUnavailable)
        #expect(outcomes.last == .opened)
        #expect(outcomes.firstIndex(of: .opened).map { outcomes[$0...].allSatisfy { $0 == .opened } } == true)
        #expect(outcomes.count > 6)
    }

    @Test(arguments: [false, true]) func split(_ failsFromThereOn: Bool) throws {
        let phone = try Phone()
        phone.keychain.change { $0.failingCall = 1 }
        let object: [JSONMember] = [
            JSONMember("ciphertext", .string("")), JSONMember("nonce", .string("AAAAAAAAAAAAAAAA")),
            JSONMember("tag", .string("AAAAAAAAAAAAAAAAAAAAAA==")),
        ]
        #expect(phone.opener().open(sealed: .object(object), now: Phone.now).outcome == .storeUnavailable)
        #expect(phone.opener().open(sealed: .object(object), now: Phone.now).outcome == .unknownKey)
    }

    /// Bundles of a fresh handle, above and below what is held.
    @Test(arguments: [0, 1, 2], [false, true]) func bundles(_ kind: Int, _ failsFromThereOn: Bool) throws {
        var call = 0
        var outcomes: [Outcome] = []
        while true {
            call += 1
            let phone = try Phone()
            try phone.hold(7)
            phone.keychain.change {
                $0.splits = [(.active, nil, .init(data: [UInt8](repeating: 77, count: 32)), .afterFirstUnlock)]
            }
            let bundle =
                switch kind {
                case 0: try phone.bundle(handle: 2)
                case 1: try phone.bundle(epoch: 9)
                default: try phone.bundle(epoch: 3)
                }
            let before = phone.keychain.snapshot
            let number = call
            phone.keychain.change {
                $0.failingCall = number
                $0.failsFromThereOn = failsFromThereOn
            }
            let outcome = phone.accept(bundle).outcome
            let isDone = phone.keychain.calls < call
            outcomes.append(outcome)
            phone.keychain.change { $0.failingCall = nil }
            switch outcome {
            case .storeUnavailable:
                #expect(phone.keychain.snapshot == before, "call \(call)")
                #expect(phone.accept(bundle).outcome == .installed)
            case .installed: #expect(phone.accept(bundle).outcome == .replayed)
            default: Issue.record("\(outcome) at call \(call)")
            }
            if isDone { break }
            try #require(call < 50)
        }
        #expect(outcomes.first == .storeUnavailable)
        #expect(outcomes.last == .installed)
        #expect(outcomes.count > 6)
    }
}
