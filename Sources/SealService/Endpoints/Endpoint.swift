/// What answers at one place.
protocol Endpoint: Sendable {
    /// Answers at once, or with nil where that would keep others waiting: then ``answer(_:in:)`` is called on another thread.
    func answerAtOnce(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer?

    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer
}

extension Endpoint {
    func answerAtOnce(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer? { nil }
}
