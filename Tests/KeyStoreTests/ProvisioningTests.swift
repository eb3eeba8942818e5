import EnvelopeFormat
import Testing

@testable import KeyStore

/// Many conversations at once, and lists of them in pages.
@Suite struct ProvisioningTests {
    let scene: Scene
    let sealer: SealerStore
    let phone = Phone()

    init() throws {
        scene = try Scene(.sealer)
        sealer = try SealerStore(scene.store)
        _ = try sealer.enroll(try phone.document(), now: scene.now)
    }

    private func plan(_ name: String, members: [DeviceThumbprint]? = nil) throws -> Provisioning {
        Provisioning(
            conversation: try ConversationIdentifier(name), algorithm: .dir, members: members ?? [phone.thumbprint])
    }

    @Test func oneThatIsRefusedStopsNoneOfTheOthers() throws {
        var late = try plan("f")
        late.maximumAge = 5
        let plans = [
            try plan("a"), try plan("a"), try plan("b", members: [Phone().thumbprint]), try plan("c"),
            try plan("d", members: [phone.thumbprint, phone.thumbprint]),
            Provisioning(conversation: try .of("e"), algorithm: .split, members: [phone.thumbprint], until: scene.now + 9),
            late,
        ]
        let before = sealer.generation.read()
        var results: [Result<ConversationRecord, KeyStoreError>] = []
        while results.count < plans.count {
            results += try sealer.provision(Array(plans.dropFirst(results.count)), now: scene.now)
        }
        let kinds = results.map { result -> KeyStoreError.Kind? in
            if case .failure(let error) = result { error.kind } else { nil }
        }
        #expect(kinds == [nil, .alreadyExists, .notFound, nil, .badInput, .badInput, .badInput])
        #expect(try sealer.conversations().map(\.conversation.string) == ["a", "c"])
        #expect(sealer.generation.read() != before)
        #expect(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).count == 2)
    }

    /// What fails after something of it was written takes nothing of the others along.
    @Test(arguments: [0, 2]) func oneThatFailsHalfMadeLeavesNothing(position: Int) throws {
        let broken = Phone()
        _ = try sealer.enroll(try broken.document("broken"), now: scene.now)
        // Its counter of bundles is damaged, which is seen when one is issued.
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            _ = try life.rows.insert(SequenceRow(thumbprint: broken.thumbprint, last: 1))
        }
        try RawDatabase(scene.database).run("UPDATE sequence SET last = 2 WHERE id = '\(broken.thumbprint)'")
        let plans = try (0..<4).map { number in
            try plan("chat-\(number)", members: [number == position ? broken.thumbprint : phone.thumbprint])
        }
        var results: [Result<ConversationRecord, KeyStoreError>] = []
        while results.count < plans.count {
            results += try sealer.provision(Array(plans.dropFirst(results.count)), now: scene.now)
        }
        for (number, result) in results.enumerated() {
            guard case .failure(let error) = result else {
                #expect(number != position)
                continue
            }
            #expect(number == position && error.kind == .damaged)
        }
        #expect(try sealer.conversations().count == 3)
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM conversation_secret") == "3")
    }

    /// A job that was interrupted is repeated: what is there exactly so is not refused. What is there otherwise is.
    @Test func whatIsThereAlreadyIsNoRefusal() throws {
        _ = try sealer.provision([try plan("a"), try plan("b")], now: scene.now)
        let absent = Phone.absent
        var other = try plan("b")
        other.until = scene.now + 9
        let plans = [try plan("a"), other, try plan("c", members: [absent])]
        var errors: [KeyStoreError] = []
        let added = try scene.addedAlone {
            for case .failure(let error) in try sealer.provision(plans, now: scene.now) { errors.append(error) }
        }
        #expect(errors.map(\.kind) == [.alreadyExists, .alreadyExists, .notFound])
        #expect(added == ["refused provision conversation b", "refused provision conversation c"])
        #expect(try scene.entries().suffix(2).map(\.reason) == errors.dropFirst().map(\.reason))
        // Alone it is a mistake, whatever is there.
        try scene.expectRefusal("provision conversation a") {
            _ = try sealer.provision(.of("a"), algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        }
    }

    @Test func listsComeInPages() throws {
        let names = (0..<25).map { "chat-\($0)" }.sorted()
        _ = try sealer.provision(try names.map { try plan($0) }, now: scene.now)
        let made = try sealer.conversations().map(\.conversation.string)
        #expect(made == Array(names.prefix(made.count)) && !made.isEmpty)
        for name in names.dropFirst(made.count) { _ = try sealer.provision([try plan(name)], now: scene.now) }
        var seen: [String] = []
        var last: ConversationIdentifier?
        repeat {
            let page = try sealer.conversations(after: last, limit: 10)
            seen += page.map(\.conversation.string)
            last = page.last?.conversation
            #expect(page.count <= 10)
        } while last != nil
        #expect(seen == names)
        for number in 0..<6 { _ = try sealer.enroll(try Phone().document("\(number)"), now: scene.now) }
        let all = try sealer.devices().map(\.thumbprint)
        #expect(all.count == 7 && all.map(\.string) == all.map(\.string).sorted())
        #expect(try sealer.devices(after: all[2], limit: 3).map(\.thumbprint) == Array(all[3..<6]))
        for limit in [0, -1, SealerStore.pageLimit + 1] {
            #expect(failure { _ = try sealer.conversations(limit: limit) }?.kind == .badInput)
            #expect(failure { _ = try sealer.devices(limit: limit) }?.kind == .badInput)
        }
    }
}
