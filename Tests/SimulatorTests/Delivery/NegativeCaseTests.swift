import EnvelopeFormat
import Foundation
import OpenerNSE
import TestSupport
import Testing

@testable import Simulator

/// Whatever does not open shows the app's placeholder and nothing else in any field: every known-answer case of the project and of
/// the handed files, and every kind of mutation of what opens.
@Suite struct NegativeCaseTests {
    private static let placeholder = ShownText(title: "App", body: "New message (ours)")
    private static let handed = ProjectFolder.folder("WAXWING_CASES", else: "../shared/cases")?.appendingPathComponent("handed")
    private static let own = ProjectFolder.root.appendingPathComponent("Tests/Vectors")

    private let service: InlineExtension
    private let container: String

    init() throws {
        let memory = "/dev/shm/"
        let folder = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        container = folder + "waxwing-negative-" + UUID().uuidString
        service = try InlineExtension(container: container)
    }

    /// Attaches whatever it is asked for.
    private struct AnyImage: ImageAttaching {
        func attach(
            _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
        ) throws(ImageFailure) -> AttachedImage {
            AttachedImage(path: "/image.png", type: .png, unscaled: .noDecoder)
        }
    }

    /// The device of a case, after the steps before.
    private struct CasePhone {
        let keychain: CaseKeychain
        let replays = CaseReplays()
        let allowsSplit: Bool

        init(_ one: JSONValue, rings: JSONValue) throws {
            let ring = rings[try #require(one["ring"]?.text)] ?? .null
            keychain = try CaseKeychain(ring)
            allowsSplit = ring["allow_split"] == .bool(true)
            if case .array(let steps)? = one["before"] {
                for step in steps { try take(step) }
            }
            try set(one)
        }

        var opener: Opener<CaseKeychain> {
            Opener(
                keychain: keychain, replays: replays,
                configuration: OpenerConfiguration(allowsSplit: allowsSplit, placeholder: placeholder))
        }

        static func now(_ step: JSONValue) throws -> Int64 { try CaseFile.integer(step["env"] ?? .null, "now") }
        static func payload(_ step: JSONValue) throws -> [UInt8] { try #require(Base64.decode(try CaseFile.text(step, "payload_b64"))) }

        private func set(_ step: JSONValue) throws {
            keychain.set(try CaseRecords.word(step["env"] ?? .null, "lock", LockState.self), now: try Self.now(step))
            replays.set(step["env"] ?? .null)
        }

        private func take(_ step: JSONValue) throws {
            try set(step)
            if let bundle = step["bundle"]?.text {
                _ = BundleAcceptance(keychain: keychain).accept(Array(bundle.utf8), now: try Self.now(step))
            } else {
                _ = opener.open(payload: try Self.payload(step), now: try Self.now(step))
            }
        }
    }

    private func cases(_ folder: URL, _ names: [String]) throws -> [(rings: JSONValue, one: JSONValue)] {
        try names.flatMap { name in
            let bytes = try ProjectFolder.bytes(folder.appendingPathComponent("\(name).json"))
            let file = try JSONValue.parse(bytes, maximumDepth: 64)
            guard case .array(let cases)? = file["cases"] else { throw CocoaError(.fileReadCorruptFile) }
            return cases.filter { CaseFile.kind($0) == "open" }.map { (file["rings"] ?? .null, $0) }
        }
    }

    private func show(
        _ sealed: SealedMember, _ phone: CasePhone, imageURL: String?, rendering: (any TextRendering)? = nil, isSealedOnly: Bool = true,
        now: Int64
    ) throws -> InlineExtension.Result {
        try service.receive(
            sealed, imageURL: imageURL, images: AnyImage(), rendering: rendering, opener: phone.opener, isSealedOnly: isSealedOnly,
            now: now)
    }

    private func everyNegativeCase(_ folder: URL) throws {
        defer { try? FileManager.default.removeItem(atPath: container) }
        var (shown, unread) = (0, 0)
        for (rings, one) in try cases(folder, ["open-negative", "open-positive", "sequence"]) {
            let name = one["id"]?.text ?? "?"
            let expected = try #require(one["expect"]?["outcome"]?.text, "\(name)")
            if ["opened", "duplicate"].contains(expected) { continue }
            let phone = try CasePhone(one, rings: rings)
            let (now, payload) = (try CasePhone.now(one), try CasePhone.payload(one))
            let limit = one["env"]?["limit"]?.plainInteger.map { Int($0) } ?? PayloadLimit.voip
            guard let sealed = try? SealedMember(payload: payload, limit: limit) else {
                // Too large, or no JSON: no push service takes it. What has the bytes themselves shows the same.
                let opening = phone.opener.open(payload: payload, limit: limit, now: now)
                #expect(opening.shown == Self.placeholder && opening.content == nil, "\(name)")
                unread += 1
                continue
            }
            let imageURL = (try? JSONValue.parse(payload))?["image_url"]?.text ?? "https://example.com/outside"
            let result = try show(sealed, phone, imageURL: imageURL, now: now)
            #expect(result.shown.isExactly(placeholder: Self.placeholder), "\(name)")
            // An extension has a bound for the sealed text of its own, where a case may be of a larger payload.
            let isTooLarge = (sealed.text?.utf8.count ?? 0) > PayloadLimit.sealedText
            #expect(result.outcome?.rawValue == (isTooLarge ? "too-large" : expected), "\(name)")
            shown += 1
            if expected == "not-sealed" {
                // Of an app that sends plain pushes too it is the system's to show, and nothing is taken over.
                let open = try show(sealed, phone, imageURL: nil, isSealedOnly: false, now: now).shown
                #expect(open.base == .received && open.text == ShownText() && open.userInfo.isEmpty, "\(name)")
            }
        }
        print("\(folder.lastPathComponent): \(shown) shown as the placeholder, \(unread) that no push service takes")
        #expect(shown > 200)
    }

    @Test func ownCases() throws { try everyNegativeCase(Self.own) }

    @Test(.enabled(if: handed != nil, "no handed cases: name their folder by WAXWING_CASES"))
    func handedCases() throws { try everyNegativeCase(try #require(Self.handed)) }

    /// Of what opens, too: the name of a template is never on the screen, whether there are templates or not.
    @Test func noNameOfATemplateIsShown() throws {
        defer { try? FileManager.default.removeItem(atPath: container) }
        let empty = Templates(try ContainerDirectory(container), languages: ["de"])
        var count = 0
        for folder in [Self.own, Self.handed].compactMap(\.self) {
            for (rings, one) in try cases(folder, ["open-positive"]) where one["expect"]?["outcome"]?.text == "opened" {
                let content = one["expect"]?["content"] ?? .null
                let keys = ["loc_title", "loc_body"].compactMap { content[$0]?["key"]?.text }
                guard !keys.isEmpty, let sealed = try? SealedMember(payload: try CasePhone.payload(one), limit: .max) else { continue }
                for rendering in [nil, empty] as [(any TextRendering)?] {
                    let phone = try CasePhone(one, rings: rings)
                    let text = try show(sealed, phone, imageURL: nil, rendering: rendering, now: try CasePhone.now(one)).shown.text
                    for (shown, own, ours) in [
                        (text.title, content["title"]?.text, Self.placeholder.title),
                        (text.body, content["body"]?.text, Self.placeholder.body),
                    ] { #expect(shown == nil || shown == own || shown == ours, "\(one["id"]?.text ?? "?")") }
                    count += 1
                }
            }
        }
        #expect(count > 0)
    }

    /// Every kind of mutation of what opens, of every algorithm.
    @Test(arguments: Mutation.Kind.allCases) func mutatedItShowsThePlaceholder(_ kind: Mutation.Kind) throws {
        defer { try? FileManager.default.removeItem(atPath: container) }
        var random = RepeatableRandom.announced(for: "mutatedItShowsThePlaceholder \(kind)")
        let all = try cases(Self.own, ["open-positive"]).filter { $0.one["expect"]?["outcome"]?.text == "opened" }
        var count = 0
        for (rings, one) in all {
            let sealed = try SealedMember(payload: try CasePhone.payload(one), limit: .max)
            let others = all.compactMap { other in
                (try? SealedMember(payload: try CasePhone.payload(other.one), limit: .max))?.text
            }
            for mutated in Mutation(sealed, others: others).made(kind, rounds: TestAmount.rounds(4, slow: 100), using: &random) {
                let phone = try CasePhone(one, rings: rings)
                let shown = try show(
                    mutated, phone, imageURL: "https://example.com/outside", now: try CasePhone.now(one)
                ).shown
                #expect(shown.isExactly(placeholder: Self.placeholder), "\(one["id"]?.text ?? "?"), \(kind): \(mutated.text ?? "")")
                count += 1
            }
        }
        print("\(kind): \(count)")
        #expect(count > 0)
    }
}
