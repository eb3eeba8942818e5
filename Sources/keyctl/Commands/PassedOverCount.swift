import EnvelopeFormat
import KeyStore

/// What `rotate --all` did not rotate, counted by reason: of a million conversations a line each would be too much.
struct PassedOverCount {
    typealias Reason = RotationBatch.PassedOver.Reason

    private let invocation: Invocation
    private let isRekey: Bool
    private var counts: [Reason: Int] = [:]

    init(_ invocation: Invocation, isRekey: Bool) {
        self.invocation = invocation
        self.isRekey = isRekey
    }

    mutating func add(_ passedOver: [RotationBatch.PassedOver]) {
        for one in passedOver {
            counts[one.reason, default: 0] += 1
            invocation.detail("passed over \(one.conversation): \(Self.text(one.reason))")
        }
    }

    /// Says what there is to say; what a rekey was to reach and did not is an error, as it is of a single one.
    func tell() -> ExitStatus {
        let unreached: Set<Reason> = isRekey ? [.suspended, .waiting] : []
        let rest = summary { !unreached.contains($0) }
        if !rest.isEmpty { invocation.note("passed over: \(rest)") }
        let missed = summary { unreached.contains($0) }
        guard !missed.isEmpty else { return .done }
        var hints: [String] = []
        if counts[.waiting] != nil { hints.append("to replace what waits: keyctl rotate --all --rekey --restart") }
        if counts[.suspended] != nil { hints.append("revoke what is suspended, which --verbose names") }
        let error = CommandError(.badInput, nil, "not rekeyed: \(missed)", hint: hints.joined(separator: "; "))
        invocation.console.report(error)
        return error.status
    }

    /// By reason, those alone that there are.
    var json: JSONValue {
        .object(Reason.allCases.compactMap { reason in counts[reason].map { JSONMember(reason.rawValue, .integer($0)) } })
    }

    private func summary(_ isMeant: (Reason) -> Bool) -> String {
        Reason.allCases.filter(isMeant).compactMap { reason in
            counts[reason].map { "\($0) \(Self.text(reason))" }
        }.joined(separator: ", ")
    }

    private static func text(_ reason: Reason) -> String {
        switch reason {
        case .retired: "retired"
        case .noMember: "without a member"
        case .suspended: "suspended"
        case .waiting: "with a rekey waiting already"
        case .split: "split"
        }
    }
}
