import EnvelopeFormat
import SealTestSupport
import Synchronization
import Testing
import TestSupport

/// Several processes seal while keys change under them and some are killed: nothing is refused, lost, repeated or late.
@Suite struct SealingUnderChangeTests {
    @Test func sealersUnderChangeAndKills() throws {
        let run = try SealingUnderChange(sealsEach: TestAmount.rounds(1_000, slow: 5_000))
        try run.perform()
        var sealed: [SealedLine] = []
        for sealer in 0..<SealingUnderChange.sealers {
            let lines = try run.lines(sealer)
            let own = lines.compactMap(SealedLine.init)
            #expect(own.count == lines.count, "sealer \(sealer): a line is no payload")
            let names = own.filter { $0.recipient == nil }.map(\.name)
            #expect(names == (0..<run.sealsEach).map { "d\($0)" }, "sealer \(sealer): not every seal once")
            sealed += own
        }
        #expect(run.killed.load(ordering: .relaxed) == 2)
        expectFreshNonces(sealed)
        expectCutOver(run, sealed)
        expectDisjointLeases(run, sealed)
        try expectOpening(run, sealed)
    }

    /// No IV and no encapsulated key is there twice.
    private func expectFreshNonces(_ sealed: [SealedLine]) {
        for (nonce, lines) in Dictionary(grouping: sealed, by: \.nonce) where lines.count > 1 {
            Issue.record("\(nonce) is there twice: \(lines.map { "\($0.name) under \($0.kid)" })")
        }
    }

    /// Nothing that began after a change returned bears a key that the change ended.
    private func expectCutOver(_ run: SealingUnderChange, _ sealed: [SealedLine]) {
        let retirements = run.retirements.withLock { $0 }
        #expect(retirements.count == 20 + 5 + 2 + 2)
        var affected = 0
        for retirement in retirements {
            let later = sealed.filter { $0.start >= retirement.returned }
            affected += later.isEmpty ? 0 : 1
            for line in later where retirement.covers(line.kid) {
                Issue.record(
                    "\(line.name) under \(line.kid) began \(line.start - retirement.returned) ns after \(retirement.what) returned"
                )
            }
        }
        // Else nothing was tested: the changes came after the seals.
        #expect(affected > 20, "only \(affected) changes came before the last seal")
        let epochs = Set(sealed.map(\.kid)).count
        #expect(epochs > 15, "only \(epochs) epochs were sealed under")
    }

    private func expectDisjointLeases(_ run: SealingUnderChange, _ sealed: [SealedLine]) {
        let leases = run.leases.withLock { $0 }
        #expect(leases.overlaps() == [])
        #expect(leases.count > 20 && leases.holders.count >= 4, "\(leases.count) leases, \(leases.holders.count) holders")
        guard let last = sealed.filter({ $0.recipient == nil }).max(by: { $0.start < $1.start })?.kid else { return }
        let count = sealed.count { $0.kid == last }
        #expect(count <= leases.total(of: last), "\(count) seals under \(last), and fewer leased")
    }

    /// Every payload opens on a phone that accepted its bundles; the one that was removed opens nothing sealed later.
    private func expectOpening(_ run: SealingUnderChange, _ sealed: [SealedLine]) throws {
        let removed = run.retirements.withLock { $0.filter { $0.what.hasPrefix("the removal") }.map(\.returned).min() }
        let ordered = sealed.sorted { $0.start < $1.start }
        let complaints = Mutex<[String]>([])
        let bodies = run.staying.enumerated().map { half, phone in
            { @Sendable in
                for (index, line) in ordered.enumerated() where index % run.staying.count == half {
                    let phone = (run.staying + [run.leaves]).first { $0.thumbprint == line.recipient } ?? phone
                    let complaint = Self.opening(line, on: phone)
                    if let complaint { complaints.withLock { $0.append(complaint) } }
                }
            }
        }
        try Threads.run(bodies)
        for complaint in complaints.withLock({ $0 }) { Issue.record("\(complaint)") }
        let removal = try #require(removed)
        let later = ordered.filter { $0.recipient == nil && $0.start >= removal }
        for (index, line) in later.enumerated() where index.isMultiple(of: 20) {
            let outcome = run.leaves.open(line.payload, remembers: false).outcome
            #expect(outcome == .unknownKey, "\(line.name) under \(line.kid) on the removed phone: \(outcome)")
        }
    }

    /// What is wrong with how the phone opens it, nil for nothing.
    private static func opening(_ line: SealedLine, on phone: ReceivingPhone) -> String? {
        let opening = phone.open(line.payload)
        guard opening.outcome == .opened else { return "\(line.name) under \(line.kid): \(opening.outcome.rawValue)" }
        guard opening.content?.body == line.name, !opening.isReplayUnchecked else {
            return "\(line.name) under \(line.kid): opened, with another text or unchecked"
        }
        return nil
    }
}
