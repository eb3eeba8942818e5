import BackendJSON
import EnvelopeFormat
import KeyStore
import OpenerNSE
import Simulator

/// `accept`: installs bundles on a device store.
enum AcceptCommand {
    static let row = Command(
        "accept", "install bundles, one a line, in order",
        details: [
            "A line that is refused changes nothing and stops nothing. The exit code is 0 when each was installed or "
                + "had been before, 77 when a key was locked, else 65. Trouble with the store or the input ends it: what was "
                + "done is printed, and the exit code is that of the trouble, or 75 after an interrupt. The input may be of any length, a line up to "
                + "1 MiB."
        ],
        arguments: [.input("the bundles")],
        example: "accept --store phone bundles.txt", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let input = try LineInput(invocation.inputPath)
        return try invocation.change(viewing: HeldKeysView.view(of:)) { (device: DeviceStore) in
            var results: [BundleResult] = []
            let trouble = install(input, on: SimulatedDevice(device), invocation, &results)
            if results.contains(where: { $0.outcome == .keyLocked }) {
                invocation.note("what it takes is locked away: \(KeychainStatus.interactionNotAllowed)")
            }
            return Report(
                lines: results.map(text), json: .members(["bundles": .list(results, json)]),
                status: trouble ?? status(results))
        }
    }

    /// Installs line by line up to the end, or to trouble with the store or the input, which no later line would be without,
    /// or to an interrupt.
    /// - Returns: the status of what ended it before, which was reported.
    private static func install(
        _ input: LineInput, on device: SimulatedDevice, _ invocation: Invocation, _ results: inout [BundleResult]
    ) -> ExitStatus? {
        var job = LongJob(invocation)
        defer { job.finish() }
        var number = 0
        do {
            while job.goesOn("lines", done: number) {
                guard let line = try input.next() else {
                    if input.isInterrupted { continue }
                    return nil
                }
                number += 1
                switch line {
                case .text(var bytes):
                    defer { SecretBytes.wipe(&bytes) }
                    if bytes.last == 0x0D { bytes.removeLast() }
                    if !bytes.isEmpty { results.append(try device.accept(bytes, now: invocation.clock)) }
                case .tooLong:
                    invocation.console.say("error: line \(number): \(LineInput.tooLong.message)")
                    // It is no bundle, as nothing is none.
                    results.append(try device.accept([], now: invocation.clock))
                }
            }
            return .tryAgain
        } catch {
            let failure = CommandError(reporting: error)
            invocation.console.report(failure)
            return failure.status
        }
    }

    private static func text(_ result: BundleResult) -> String {
        [
            result.outcome.rawValue, result.bundle.map { "seq \($0.sequence)" }, result.bundle?.kid.description,
            result.bundle?.conversation.string, result.already ? "already" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }

    private static func json(_ result: BundleResult) -> JSONValue {
        .members([
            "outcome": .string(result.outcome.rawValue),
            "os_status": result.outcome == .keyLocked
                ? .integer(Int(KeychainStatus.interactionNotAllowed.rawValue)) : nil,
            "already": .bool(result.already),
            "seq": result.bundle.map { .integer($0.sequence) } ?? .null,
            "kid": result.bundle.map { .string($0.kid.description) } ?? .null,
            "sub": result.bundle.map { .string($0.conversation.string) } ?? .null,
        ])
    }

    private static func status(_ results: [BundleResult]) -> ExitStatus {
        if results.allSatisfy({ $0.already || $0.outcome == .installed }) { return .done }
        return results.contains { $0.outcome == .keyLocked } ? .notPermitted : .badInput
    }
}
