internal import Foundation
#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif
internal import OpenerNSE

/// Fetches images by URLSession: over https, by the system's trust, proxies and rules of the app, with nothing kept from one image to
/// the next.
///
/// URLSession does not say which address a name led to before it connects. So every address on the way is looked at as it is
/// written, and a name that leads into a network of somebody's own is found out by TLS alone: no request is sent to a machine that has
/// no certificate of that name.
struct SessionFetcher: ImageFetching {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    func fetch(
        _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
    ) throws(ImageFailure) {
        let result: Result<Void, ImageFailure> = withoutActuallyEscaping(body) { body in
            let transfer = SessionTransfer(request, body: body)
            let session = URLSession(configuration: Self.configuration(request), delegate: transfer, delegateQueue: nil)
            defer { session.invalidateAndCancel() }
            guard let first = SessionTransfer.urlRequest(request.address) else { return .failure(.address) }
            let deadline = ContinuousClock.now + request.budget
            session.dataTask(with: first).resume()
            while !transfer.waitForEnd(Self.interval) {
                if ContinuousClock.now >= deadline || !isWanted() { transfer.end(.timeout) }
            }
            // Behind this the body is not called any more.
            return transfer.result
        }
        try result.get()
    }

    private static func configuration(_ request: ImageRequest) -> URLSessionConfiguration {
        let (seconds, attoseconds) = request.budget.components
        let budget = TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = budget
        configuration.timeoutIntervalForResource = budget
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        // As they are stored, since the claims' hash is over that.
        configuration.httpAdditionalHeaders = ["Accept": "image/*", "Accept-Encoding": "identity"]
        return configuration
    }
}
