/// Finds the endpoint of a request.
struct Router: Sendable {
    enum Found: Sendable {
        case route(Route, [String: String])
        /// The path is there, with these methods.
        case otherMethods([String])
        case nothing
    }

    let routes: [Route]

    func find(_ method: String, _ path: [String]) -> Found {
        var methods: [String] = []
        for route in routes {
            guard let values = route.match(path) else { continue }
            if route.method == method || method == "HEAD" && route.method == "GET" { return .route(route, values) }
            methods.append(route.method)
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
