import EnvelopeFormat
import TestSupport

/// A sealed part in other forms than it was sent in.
struct Mutation {
    enum Kind: String, CaseIterable, Sendable {
        /// One bit of one part, which stays canonical base64url.
        case bit
        /// One character for another, of those that are printed.
        case character
        /// Cut short, or with more behind it.
        case length
        /// A part less, a part more, two parts in each other's place.
        case parts
        /// A part of another message.
        case splice
        /// A member of the header changed, gone, or beside those that belong there.
        case header
        /// Something else than a sealed part.
        case type
    }

    private let sealed: SealedMember
    private let others: [String]

    init(_ sealed: SealedMember, others: [String]) {
        self.sealed = sealed
        self.others = others
    }

    /// None is as it was.
    func made(_ kind: Kind, rounds: Int, using random: inout RepeatableRandom) -> [SealedMember] {
        if kind == .type { return Self.types }
        guard let text = sealed.text else { return [] }
        return (0..<rounds).flatMap { _ in changed(kind, text, using: &random) }.filter { $0 != text }.map { .string($0) }
    }

    private static let types: [SealedMember] =
        ["", ".", "....", "Anna", "<b>six</b>", "\u{202E}x", "null", "{}", String(repeating: "A", count: 9_000)].map { .string($0) } + [
            .other, .object([]), .object([JSONMember("body", .string("Anna"))]),
            .object(["ciphertext", "nonce", "tag"].map { JSONMember($0, .string("QUFBQQ==")) }),
        ]

    private func changed(_ kind: Kind, _ text: String, using random: inout RepeatableRandom) -> [String] {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch kind {
        case .bit:
            let index = Int.random(in: 0..<parts.count, using: &random)
            guard var bytes = Base64URL.decode(parts[index]), !bytes.isEmpty else { return [] }
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            return [Self.joined(parts, Base64URL.encode(bytes), at: index)]
        case .character:
            var bytes = Array(text.utf8)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x21...0x7E, using: &random)
            return [String(decoding: bytes, as: UTF8.self)]
        case .length:
            return [
                String(text.prefix(Int.random(in: 0..<text.utf8.count, using: &random))), text + "A", text + ".", "." + text, text + "\n",
            ]
        case .parts:
            let (one, two) = (Int.random(in: 0..<parts.count, using: &random), Int.random(in: 0..<parts.count, using: &random))
            var (less, swapped) = (parts, parts)
            less.remove(at: one)
            swapped.swapAt(one, two)
            return [less, parts + [parts[one]], swapped].map { $0.joined(separator: ".") }
        case .splice:
            guard let other = others.randomElement(using: &random) else { return [] }
            let from = other.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let index = Int.random(in: 0..<min(parts.count, from.count), using: &random)
            // Under its own header another message is that message, and opens.
            let spliced = Self.joined(parts, from[index], at: index)
            return others.contains(spliced) ? [] : [spliced]
        case .header: return headers(parts)
        case .type: return []
        }
    }

    private func headers(_ parts: [String]) -> [String] {
        guard let bytes = Base64URL.decode(parts[0]), let members = try? JSONValue.parse(bytes).members else { return [] }
        let changes: [[JSONMember]] =
            members.indices.flatMap { index in
                [JSONValue.null, .string("Anna"), .string(""), .integer(1)].map { value in
                    var changed = members
                    changed[index] = JSONMember(members[index].name, value)
                    return changed
                } + [members.enumerated().filter { $0.offset != index }.map(\.element)]
            } + [members + [JSONMember("title", .string("Anna"))]]
        return changes.map { Self.joined(parts, Base64URL.encode(JSONValue.object($0).write()), at: 0) }
    }

    private static func joined(_ parts: [String], _ part: String, at index: Int) -> String {
        var parts = parts
        parts[index] = part
        return parts.joined(separator: ".")
    }
}

extension SealedMember {
    /// The compact form; nil of anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
