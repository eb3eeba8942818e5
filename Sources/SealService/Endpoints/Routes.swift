extension Router {
    /// All that the service answers: openapi.json says the same, and a test compares.
    static let service = Router(routes: [
        Route("POST", "/v1/seal", .seal, body: true, SealEndpoint()),
        Route("POST", "/v1/seal/batch", .seal, body: true, BatchEndpoint()),
        Route("GET", "/v1/devices", .provision, query: ["after", "limit"], DeviceListEndpoint()),
        Route("POST", "/v1/devices", .provision, query: ["replaces"], body: true, EnrollEndpoint()),
        Route("GET", "/v1/devices/{device}", .provision, DeviceEndpoint()),
        Route("DELETE", "/v1/devices/{device}", .provision, DeviceRemovalEndpoint()),
        Route("GET", "/v1/devices/{device}/bundles", .provision, BundlesEndpoint()),
        Route("POST", "/v1/devices/{device}/bundles/{seq}/ack", .provision, AcknowledgementEndpoint()),
        Route("GET", "/v1/conversations", .provision, query: ["after", "limit"], ConversationListEndpoint()),
        Route("POST", "/v1/conversations", .provision, body: true, ProvisionEndpoint()),
        Route("GET", "/v1/conversations/{conversation}", .provision, ConversationEndpoint()),
        Route("POST", "/v1/conversations/{conversation}/members", .provision, body: true, MemberEndpoint()),
        Route("DELETE", "/v1/conversations/{conversation}/members/{device}", .provision, MemberRemovalEndpoint()),
        Route("POST", "/v1/conversations/{conversation}/rotate", .provision, body: true, RotateEndpoint()),
        Route("GET", "/healthz", nil, HealthEndpoint()),
        Route("GET", "/readyz", nil, ReadinessEndpoint()),
        Route("GET", "/metrics", .admin, MetricsEndpoint()),
        Route("GET", "/openapi.json", nil, DocumentEndpoint()),
    ])
}
