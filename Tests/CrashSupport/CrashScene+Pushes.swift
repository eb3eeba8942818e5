import CryptoPrimitives
public import EnvelopeFormat
import KeyStore
import OpenerNSE
public import Sealer
import Simulator

extension CrashScene {
    /// A push of a conversation, as one phone gets it.
    public func seal(_ name: String, for number: Int, leasing: Leasing = .exact) throws -> [UInt8] {
        var request = SealRequest(conversation: try conversation(name))
        request.content.body = "to phone \(number)"
        let thumbprint = try thumbprint(number)
        let pushes: [SealedPush]
        do { pushes = try PushSealer(try backend, leasing: leasing).seal(request, caller: "crash", now: now) } catch {
            if case SealingError.store(let error) = error { throw error }
            throw error
        }
        guard let push = pushes.first(where: { $0.device == nil || $0.device == thumbprint }) else {
            throw CrashFailure("phone \(number) is no member of \(name)")
        }
        return push.payload
    }

    /// What is said of a push that opened, as it should, though the phone could take no note of it.
    public static let unremembered = "it opened and was not remembered"

    /// What a phone makes of a push; it is not remembered, unless asked to.
    public func open(_ payload: [UInt8], on number: Int, remembers: Bool = false) throws -> Outcome {
        let opening = SimulatedDevice(try phone(number)).open(payload, now: now, remembers: remembers)
        if let failure = opening.failure { throw failure }
        if remembers, opening.isReplayUnchecked { throw CrashFailure(Self.unremembered) }
        return opening.outcome
    }

    /// Has a phone take a bundle.
    public func accept(_ bundle: [UInt8], on number: Int) throws {
        let result = try SimulatedDevice(try phone(number)).accept(bundle, now: now)
        guard result.outcome == .installed || result.already else {
            throw CrashFailure("a bundle on phone \(number): \(result.outcome.rawValue)")
        }
    }

    /// Has a phone take what waits for it.
    public func acceptPending(on number: Int) throws {
        for bundle in try backend.pendingBundles(for: try thumbprint(number), now: now) {
            try accept(Array(bundle.bundle.utf8), on: number)
        }
    }

    /// Notes that a phone has taken what waited for it.
    public func acknowledgePending(of number: Int) throws {
        let thumbprint = try thumbprint(number)
        for bundle in try backend.pendingBundles(for: thumbprint, now: now) {
            try backend.acknowledge(device: thumbprint, sequence: bundle.sequence, now: now)
        }
    }

    /// One round of `bundle` and `accept`.
    public func deliver(to number: Int) throws {
        let thumbprint = try thumbprint(number)
        for bundle in try backend.pendingBundles(for: thumbprint, now: now) {
            try accept(Array(bundle.bundle.utf8), on: number)
            try backend.acknowledge(device: thumbprint, sequence: bundle.sequence, now: now)
        }
    }

    /// That no key was lost: what was sealed before opens, what is sealed now opens after a round of `bundle` and
    /// `accept`, and on nobody else's phone.
    public func checkPushes() throws {
        guard hasBackend else { return }
        for name in [Self.direct, Self.hybrid, "chat"] {
            guard let before = try Files.read(folder + "/before-\(name)") else { continue }
            try check(try open(before, on: 0), is: .opened, "the push of \(name) sealed before")
        }
        let numbers = try phoneNumbers.filter { try phone($0).identityThumbprint() != nil }
        let thumbprints = Set(try backend.devices().filter { !$0.isBeingRemoved }.map(\.thumbprint))
        for number in numbers where thumbprints.contains(try thumbprint(number)) { try deliver(to: number) }
        for record in try backend.conversations() where record.active != nil {
            let name = record.conversation.string
            let members = Set(record.members.map(\.device))
            for number in numbers where members.contains(try thumbprint(number)) {
                try check(try open(try seal(name, for: number), on: number), is: .opened, "a push of \(name) sealed after")
            }
            guard record.algorithm == .dir, let member = numbers.first(where: { (try? members.contains(thumbprint($0))) == true })
            else { continue }
            let push = try seal(name, for: member)
            for number in numbers where try !members.contains(thumbprint(number)) {
                guard try open(push, on: number) != .opened else {
                    throw CrashFailure("a push of \(name) opens on phone \(number), which is no member")
                }
            }
        }
    }

    private func check(_ outcome: Outcome, is expected: Outcome, _ what: String) throws {
        guard outcome == expected else { throw CrashFailure("\(what): \(outcome.rawValue)") }
    }
}
