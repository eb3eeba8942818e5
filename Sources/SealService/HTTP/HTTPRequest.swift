/// What an endpoint is given of a request besides what its head was judged by.
struct HTTPRequest: Sendable {
    let query: [String: String]
    let body: RequestBody
}
