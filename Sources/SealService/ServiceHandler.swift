import EnvelopeFormat
import Glibc
import KeyStore
import Synchronization

/// Judges and answers the requests of one listener.
final class ServiceHandler: HTTPHandler {
    /// A request that was let in.
    private struct Task: HTTPTask {
        let route: Route?
        let method: String
        let path: [String: String]
        let caller: Caller?
    }

    private let parts: ServiceParts
    private let router: Router
    private let admission: Admission
    private let workers: WorkerPool
    private let limits: HTTPLimits
    private let log: EventLog

    init(_ parts: ServiceParts, _ router: Router, _ admission: Admission, _ workers: WorkerPool, _ limits: HTTPLimits, _ log: EventLog) {
        self.parts = parts
        self.router = router
        self.admission = admission
        self.workers = workers
        self.limits = limits
        self.log = log
    }

    func begin(_ head: HTTPHead) -> HTTPDecision {
        let found = head.path.map { router.find(head.method, $0) } ?? .nothing
        guard case .route(let route, let values) = found else {
            let caller = try? admission.caller(head).get()
            let task = Task(route: nil, method: head.method, path: [:], caller: caller)
            guard case .otherMethods(let methods) = found else {
                return refuse(Problem(.noSuchEndpoint, nil, "there is no such endpoint"), task)
            }
            return refuse(
                Problem(.methodNotAllowed, nil, "it takes \(methods.joined(separator: ", "))"), task,
                [("Allow", methods.joined(separator: ", "))])
        }
        let caller: Caller?
        switch admission.caller(head) {
        case .success(let known): caller = known
        case .failure(let problem):
            guard route.scope == nil else {
                let task = Task(route: route, method: head.method, path: values, caller: nil)
                return refuse(problem, task, problem.kind == .unauthenticated ? [("WWW-Authenticate", "Bearer")] : [])
            }
            caller = nil
        }
        let task = Task(route: route, method: head.method, path: values, caller: caller)
        if let scope = route.scope, caller?.scopes.contains(scope) != true {
            return refuse(Problem(.forbidden, nil, "\(caller?.name ?? "the caller") lacks the scope \(scope.rawValue)"), task)
        }
        if let unknown = head.query.keys.first(where: { !route.query.contains($0) }) {
            return refuse(
                Problem(
                    .invalid, "query",
                    "\(route.query.isEmpty ? "none is taken" : "unknown member, besides \(route.query.joined(separator: ", "))") (\(unknown.utf8.count) bytes)"
                ), task)
        }
        guard !route.takesBody || head.isJSON else {
            return refuse(Problem(.mediaType, "Content-Type", "not application/json"), task)
        }
        return .take(task, mostBytes: route.takesBody ? limits.bodyBytes : 0)
    }

    private func refuse(_ problem: Problem, _ task: Task, _ headers: [(name: String, value: String)] = []) -> HTTPDecision {
        .refuse(problem.answer(headers), task)
    }

    func answer(
        _ request: HTTPRequest, of task: any HTTPTask, later: @escaping @Sendable (HTTPAnswer) -> Void
    ) -> HTTPAnswer? {
        guard let task = task as? Task, let route = task.route else {
            return Problem(.failed, nil, "a request without an endpoint").answer()
        }
        let call = Call(
            caller: task.caller ?? Caller(name: "", scopes: []), path: task.path, query: request.query, body: request.body,
            now: Int64(time(nil)))
        let parts = parts
        do {
            if let answer = try route.endpoint.answerAtOnce(call, in: parts) { return finished(answer) }
            try workers.run(for: call.caller.name) { [self] in
                do { later(finished(try route.endpoint.answer(call, in: parts))) } catch {
                    later(finished(Problem(reporting: error).answer()))
                }
            }
            return nil
        } catch let refusal as WorkerPool.Refusal {
            switch refusal {
            case .callerHasTooMany: return Problem(.tooManyRequests, nil, "too many requests of \(call.caller.name) wait or run").answer()
            case .full: return Problem(.overloaded, nil, "too many requests wait").answer()
            }
        } catch { return finished(Problem(reporting: error).answer()) }
    }

    /// While the service is being stopped a connection ends with its answer.
    private func finished(_ answer: HTTPAnswer) -> HTTPAnswer {
        guard parts.isStopping() else { return answer }
        var answer = answer
        answer.headers.append(("Connection", "close"))
        return answer
    }

    func ended(_ task: (any HTTPTask)?, _ answer: HTTPAnswer?, seconds: Double, byteCount: Int) {
        let task = task as? Task
        let route = task?.route?.template ?? "none"
        let method = Self.known(task?.method ?? "")
        parts.metrics.answered(route: route, method: method, status: answer?.status ?? 0, seconds: seconds)
        log.request(
            route: route, method: method, caller: task?.caller?.name, answer, seconds: seconds, byteCount: byteCount)
    }

    /// Methods are counted by name, and a client cannot make up new ones.
    private static func known(_ method: String) -> String {
        ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"].contains(method) ? method : "other"
    }

    func timedOut() -> HTTPAnswer { Problem(.timedOut, nil, "the body was not whole within \(Int(limits.bodySeconds)) seconds").answer() }
    func tooLarge() -> HTTPAnswer { Problem(.tooLarge, nil, "more than \(limits.bodyBytes) bytes").answer() }
}
