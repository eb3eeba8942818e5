import EnvelopeFormat
import TestSupport

/// Random values of strict JSON.
enum RandomJSON {
    /// - Parameter depth: how many containers there may be one inside the other.
    static func value(depth: Int, using source: inout RepeatableRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &source) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &source))
        case 2: return .number(number(using: &source))
        case 3, 4: return .string(RandomText.text(pieces: 0...12, using: &source))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &source)).map { _ in value(depth: depth - 1, using: &source) })
        default: return .object(members(depth: depth - 1, using: &source))
        }
    }

    static func members(depth: Int, using source: inout RepeatableRandom) -> [JSONMember] {
        var members: [JSONMember] = []
        for _ in 0..<Int.random(in: 0...20, using: &source) {
            let name = RandomText.text(pieces: 0...3, using: &source)
            if members.contains(where: { $0.name.isSame(as: name) }) { continue }
            members.append(JSONMember(name, value(depth: depth, using: &source)))
        }
        return members
    }

    static func number(using source: inout RepeatableRandom) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &source)).map { _ in String(Int.random(in: 0...9, using: &source)) }
                .joined()
        }
        var token = Bool.random(using: &source) ? "-" : ""
        token += Bool.random(using: &source) ? "0" : String(Int.random(in: 1...9, using: &source)) + digits(0...20)
        if Bool.random(using: &source) { token += "." + digits(1...8) }
        if Bool.random(using: &source) {
            token +=
                (["e", "E"].randomElement(using: &source) ?? "e")
                + (["", "+", "-"].randomElement(using: &source) ?? "")
            token += digits(1...4)
        }
        return token
    }
}
