/// What is asked of every input besides that nothing crashes. A fuzzer names those it checks; for each of them a fault can be
/// planted that has to be found.
enum Property: String, CaseIterable {
    /// What was read and is written again is the same.
    case identity
    /// What is refused stays refused, and what is accepted accepted, whatever changes that does not matter; and what must be
    /// refused is.
    case refusal
    /// A higher door, or a part of the same input, says the same.
    case door
    /// The answer is one that the specification has.
    case outcome
    /// No more memory than so much for each byte.
    case bound
    /// Nothing is taken for authentic but what was sealed.
    case authenticity
    /// The second implementation says the same (agree.py).
    case agreement
}
