internal import OpenerNSE

/// One drain while the system watches: it may stop it at any time, also before it began, and whoever waits is told once.
final class DrainActivity: Sendable {
    private struct State {
        var isStopped = false
        var isBegun = false
        var continuation: CheckedContinuation<Result<DrainReport, ContainerError>, Never>?
    }

    private let state: Locked<State>

    init(_ continuation: CheckedContinuation<Result<DrainReport, ContainerError>, Never>) {
        state = Locked(State(continuation: continuation))
    }

    var isStopped: Bool { state.with { $0.isStopped } }

    func run(_ body: () throws(ContainerError) -> DrainReport) {
        let mayBegin = state.with { state in
            state.isBegun = !state.isStopped
            return state.isBegun
        }
        guard mayBegin else { return }
        do throws(ContainerError) { finish(.success(try body())) } catch { finish(.failure(error)) }
    }

    /// The system will not wait any longer. What has begun ends by itself, and tells.
    func stop() {
        let isBegun = state.with { state in
            state.isStopped = true
            return state.isBegun
        }
        guard !isBegun else { return }
        var report = DrainReport()
        report.isStopped = true
        finish(.success(report))
    }

    private func finish(_ result: Result<DrainReport, ContainerError>) {
        let continuation = state.with { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: result)
    }
}
