import BackendJSON
import EnvelopeFormat
import Sealer

/// `POST /v1/seal`: one request, sealed.
struct SealEndpoint: Endpoint {
    func answerAtOnce(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer? {
        let request = try SealRequest(try call.json())
        let pushes = try service.counted { try service.sealer.sealIfKept(request, caller: call.caller.name, now: call.now) }
        return pushes.map { HTTPAnswer(200, PushForm.json($0, of: request.conversation)) }
    }

    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let request = try SealRequest(try call.json())
        return HTTPAnswer(200, PushForm.json(try service.seal(request, call), of: request.conversation))
    }
}

extension ServiceParts {
    func seal(_ request: SealRequest, _ call: Call) throws(Problem) -> [SealedPush] {
        try counted { try sealer.seal(request, caller: call.caller.name, now: call.now) } ?? []
    }

    /// Counts what came of a seal, and how long it took; of one that was left for later nothing.
    func counted(_ seal: () throws -> [SealedPush]?) throws(Problem) -> [SealedPush]? {
        let started = MonotonicClock.seconds
        do {
            let pushes = try seal()
            if let pushes { metrics.sealed(pushes.count, seconds: MonotonicClock.seconds - started) }
            return pushes
        } catch { throw metrics.notSealed(error) }
    }
}
