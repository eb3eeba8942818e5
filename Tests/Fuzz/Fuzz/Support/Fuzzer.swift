import EnvelopeFormat

/// One of the ten: a door that bytes of others come in by.
protocol Fuzzer {
    static var properties: Set<Property> { get }

    /// Sets up keys, once.
    init(_ rings: Rings) throws

    /// Offers the input and checks the properties.
    /// - Returns: whether it was accepted, for the second implementation to be asked too.
    func run(_ input: [UInt8]) throws -> Bool

    /// What the second implementation is asked, and the answer here; nil where there is none.
    func exchange(_ input: [UInt8]) throws -> JSONValue?
}

extension Fuzzer {
    func exchange(_ input: [UInt8]) -> JSONValue? { nil }
}
