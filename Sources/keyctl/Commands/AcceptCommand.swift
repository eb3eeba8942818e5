import EnvelopeFormat
import KeyStore
import Simulator

/// `accept`: installs bundles on a device store.
enum AcceptCommand {
    static let row = Command(
        "accept", "install bundles, one a line, in order",
        details: [
            "A line that is refused changes nothing and stops nothing. The exit code is 0 when each was installed or "
                + "had been before, 77 when a key was locked, else 65."
        ],
        arguments: [.input("the bundles")],
        example: "accept --store phone bundles.txt", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let input = try SecretInput(reading: invocation.inputPath)
        let store = try invocation.openStore()
        let device = try DeviceStore(store)
        let simulated = SimulatedDevice(device)
        return try invocation.change(store, viewing: { try HeldKeysView.view(of: device) }) {
            let results = input.withBytes { bytes in
                bytes.split(separator: 0x0A).map { line in
                    simulated.accept(Array(line.last == 0x0D ? line.dropLast() : line), now: invocation.clock)
                }
            }
            return Report(lines: results.map(text), json: .members(["bundles": .list(results, json)]), status: status(results))
        }
    }

    private static func text(_ result: BundleResult) -> String {
        [
            result.outcome.rawValue, result.already ? "already" : nil, result.sequence.map { "seq \($0)" },
            result.kid?.description, result.conversation?.string,
        ].compactMap(\.self).joined(separator: " ")
    }

    private static func json(_ result: BundleResult) -> JSONValue {
        .members([
            "outcome": .string(result.outcome.rawValue), "already": .bool(result.already),
            "seq": result.sequence.map { .integer($0) } ?? .null,
            "kid": result.kid.map { .string($0.description) } ?? .null,
            "sub": result.conversation.map { .string($0.string) } ?? .null,
        ])
    }

    private static func status(_ results: [BundleResult]) -> ExitStatus {
        if results.allSatisfy({ $0.already || $0.outcome == .installed }) { return .done }
        return results.contains { $0.outcome == .keyLocked } ? .notPermitted : .badInput
    }
}
