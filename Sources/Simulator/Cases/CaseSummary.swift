import EnvelopeFormat

/// How the cases of a file went.
public struct CaseSummary: Sendable {
    public private(set) var answered = 0
    /// Cases that say what is expected, and the answer is that.
    public private(set) var matched = 0
    /// The identifiers of those whose answer is another, or that could not be read.
    public private(set) var failed: [String] = []

    /// Cases that do not say what is expected, in a file where others do.
    public let unheld: Int

    public init(unheld: Int = 0) { self.unheld = unheld }

    mutating func count(unreadable identifier: String) {
        answered += 1
        failed.append(identifier)
    }

    mutating func count(_ identifier: String, answer: JSONValue, json: JSONValue) {
        answered += 1
        guard let expected = json["expect"]?.members else { return }
        var wanted = expected
        if CaseFile.kind(json) == "open", json["seal"] != nil, let payload = json["payload_b64"] {
            wanted.append(JSONMember("payload_b64", payload))
        }
        let given = answer.members ?? []
        let isSame =
            given.count == wanted.count
            && wanted.allSatisfy { member in
                answer[member.name].map { Self.isSame($0, member.value) } ?? false
            }
        if isSame { matched += 1 } else { failed.append(identifier) }
    }

    /// Equality as the format wants it: members in any order, numbers as IEEE doubles.
    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): Double(left) == Double(right)
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy(isSame)
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { member in right[member.name].map { isSame(member.value, $0) } ?? false }
        default: left == right
        }
    }
}
