import Testing

extension Transcript {
    /// Runs the steps one after the other and records the first that shows something else than is expected.
    func run(in place: Workplace, variables: [String: String]) throws {
        var variables = variables
        for step in steps {
            let isWatched = step.isUnchanged || step.isRefused
            let before = isWatched ? try StoreDump.of(place.folder) : []
            let finished = try place.run(step.line, variables: variables)
            let isAsExpected =
                finished.status == step.status
                && ExpectedText.matches(step.output, finished.outputLines, &variables)
                && ExpectedText.matches(step.error, finished.errorLines, &variables)
            if !isAsExpected {
                Issue.record(
                    """
                    \(name):\(step.number): $ \(step.line)
                    expected ? \(step.status)
                    \((step.output + step.error.map { "! \($0)" }).joined(separator: "\n"))
                    came ? \(finished.status)
                    \((finished.outputLines + finished.errorLines.map { "! \($0)" }).joined(separator: "\n"))
                    """)
                return
            }
            if isWatched {
                var (before, after) = (before, try StoreDump.of(place.folder))
                if step.isRefused {
                    let added = StoreDump.removeAuditLog(&after) - StoreDump.removeAuditLog(&before)
                    #expect(added == 1, "\(name):\(step.number): \(added) entries")
                }
                let difference = after.difference(from: before).map { "\($0)".prefix(300) }
                #expect(difference.isEmpty, "\(name):\(step.number): \(difference)")
            }
        }
    }
}
