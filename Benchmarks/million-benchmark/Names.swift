import EnvelopeFormat

/// The conversations of a run: so many, and one of every `stride` has the member that can be sealed to.
struct Names {
    let count: Int
    let stride: Int

    func name(_ number: Int) -> String {
        let digits = String(number)
        return "conversation-" + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }

    /// The `number`-th that has a member, counted on from the first after the last.
    func sealable(_ number: Int) throws -> ConversationIdentifier {
        try ConversationIdentifier(name(number % ((count + stride - 1) / stride) * stride))
    }

    func hasMember(_ number: Int) -> Bool { number.isMultiple(of: stride) }
}
