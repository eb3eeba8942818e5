/// What became of one case of a vector file.
package enum VectorOutcome: Equatable, Sendable {
    case passed
    /// It must be refused, and was.
    case refused
    /// Outside what is used here; where that can be asked to refuse it, it was asked and did.
    case notApplicable(String)
    case failed(String)
}
