import EnvelopeFormat
import KeyStore

/// `GET /healthz`: the process answers.
struct HealthEndpoint: Endpoint {
    func answerAtOnce(_ call: Call, in service: ServiceParts) -> HTTPAnswer? { Self.ok }
    func answer(_ call: Call, in service: ServiceParts) -> HTTPAnswer { Self.ok }

    private static let ok = HTTPAnswer(200, Array(#"{"status":"ok"}"#.utf8))
}

/// `GET /readyz`: it would seal now: the store is there and unlocked, and nobody is stopping it.
struct ReadinessEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        guard !service.isStopping() else { throw Problem(.stopping, nil, "it is being stopped") }
        try SelfTest.require()
        try service.store.checkUsable(now: call.now)
        return HTTPAnswer(200, Array(#"{"status":"ready"}"#.utf8))
    }
}

/// `GET /metrics`: Prometheus' text.
struct MetricsEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let text = service.metrics.text(store: try? service.store.store.status(now: call.now), sealer: service.sealer.usage, now: call.now)
        return HTTPAnswer(200, Array(text.utf8), contentType: "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// `GET /openapi.json`: what the service answers, for machines.
struct DocumentEndpoint: Endpoint {
    func answerAtOnce(_ call: Call, in service: ServiceParts) -> HTTPAnswer? { answer(call, in: service) }
    func answer(_ call: Call, in service: ServiceParts) -> HTTPAnswer { HTTPAnswer(200, PackageResources.openapi_json) }
}
