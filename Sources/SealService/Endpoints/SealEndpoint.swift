import BackendJSON
import EnvelopeFormat
import Sealer

/// `POST /v1/seal`: one request, sealed.
struct SealEndpoint: Endpoint {
    func answerAtOnce(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer? {
        let request = try SealRequest(try call.json())
        let started = MonotonicClock.seconds
        do {
            guard let pushes = try service.sealer.sealIfKept(request, caller: call.caller.name, now: call.now) else { return nil }
            service.metrics.sealed(pushes.count, seconds: MonotonicClock.seconds - started)
            return HTTPAnswer(200, PushForm.json(pushes, of: request.conversation))
        } catch { throw service.metrics.notSealed(error) }
    }

    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let request = try SealRequest(try call.json())
        return HTTPAnswer(200, PushForm.json(try service.seal(request, call), of: request.conversation))
    }
}

extension ServiceParts {
    /// Seals, and counts what came of it.
    func seal(_ request: SealRequest, _ call: Call) throws(Problem) -> [SealedPush] {
        let started = MonotonicClock.seconds
        do {
            let pushes = try sealer.seal(request, caller: call.caller.name, now: call.now)
            metrics.sealed(pushes.count, seconds: MonotonicClock.seconds - started)
            return pushes
        } catch { throw metrics.notSealed(error) }
    }
}
