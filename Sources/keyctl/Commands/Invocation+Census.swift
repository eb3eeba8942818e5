import EnvelopeFormat
import KeyStore

extension Invocation {
    /// Prints the census along with the refusal of what it stands in the way of.
    /// - Parameter reasons: what of it does.
    func withCensus<Result>(
        of conversation: ConversationIdentifier, in sealer: SealerStore, reasons: (Census) -> [String],
        _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch let error as KeyStoreError where error.kind == .refused && !has("force") {
            let census = try sealer.census(conversation, now: clock)
            if !reasons(census).isEmpty {
                var report = CensusView.view(of: census).report
                try report.print(to: console.output, asJSON: isJSON)
            }
            throw error
        }
    }
}
