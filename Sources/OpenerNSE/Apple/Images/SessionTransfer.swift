internal import Foundation
#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif
internal import OpenerNSE

/// One image on its way, as URLSession tells of it. It ends once; whatever is told later is not looked at.
///
/// Who takes the bytes is called under the lock alone, and let go of at the end: URLSession holds on to its delegate for longer.
final class SessionTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private static let redirectLimit = 5

    private struct State {
        var body: (([UInt8]) -> Bool)?
        var result: Result<Void, ImageFailure>?
        var redirectCount = 0
        var byteCount = 0
        /// What the server said the body has; nil where it did not, or the body is not as it was sent.
        var expectedByteCount: Int?
    }

    private let request: ImageRequest
    private let state: Locked<State>
    private let ended = DispatchSemaphore(value: 0)

    init(_ request: ImageRequest, body: @escaping ([UInt8]) -> Bool) {
        self.request = request
        state = Locked(State(body: body))
    }

    /// What it came to, once it has ended.
    var result: Result<Void, ImageFailure> { state.with { $0.result } ?? .failure(.connection) }

    /// - Returns: whether it ended within that time.
    func waitForEnd(_ interval: DispatchTimeInterval) -> Bool { ended.wait(timeout: .now() + interval) == .success }

    /// - Parameter failure: nil where all was handed over that is wanted.
    func end(_ failure: ImageFailure?) {
        state.with { state in end(&state, failure) }
    }

    private func end(_ state: inout State, _ failure: ImageFailure?) {
        guard state.result == nil else { return }
        state.result = failure.map { .failure($0) } ?? .success(())
        state.body = nil
        ended.signal()
    }

    /// Answers URLSession before it is cancelled, and not at all afterwards: on Linux it ends the process for that.
    private func answer(_ body: (inout State) -> Void) {
        state.with { state in
            if state.result == nil { body(&state) }
        }
    }

    static func urlRequest(_ address: ImageAddress) -> URLRequest? { URL(string: address.text).map { URLRequest(url: $0) } }

    // MARK: What URLSession tells

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        answer { state in
            state.redirectCount += 1
            // Every address on the way is looked at as the first was, and asked for as it was looked at.
            do throws(ImageFailure) {
                guard state.redirectCount <= Self.redirectLimit else { throw .redirects }
                let address = try request.policy.check(newRequest.url?.absoluteString ?? "")
                guard let next = Self.urlRequest(address) else { throw .address }
                completionHandler(next)
            } catch {
                completionHandler(nil)
                end(&state, error)
            }
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        answer { state in
            let response = response as? HTTPURLResponse
            let byteCount = response?.expectedContentLength ?? -1
            let failure: ImageFailure? = response?.statusCode != 200 ? .status : byteCount > request.byteLimit ? .size : nil
            let isAsSent = response?.value(forHTTPHeaderField: "Content-Encoding") == nil
            state.expectedByteCount = isAsSent && byteCount >= 0 ? Int(byteCount) : nil
            completionHandler(failure == nil ? .allow : .cancel)
            if let failure { end(&state, failure) }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.with { state in
            guard let body = state.body else { return }
            state.byteCount += data.count
            guard state.byteCount <= request.byteLimit else { return end(&state, .size) }
            if !body(Array(data)) { end(&state, nil) }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.with { state in
            if let error { return end(&state, Self.failure(error)) }
            // Not every way to be cut short is an error of the system's.
            let isShort = state.expectedByteCount.map { state.byteCount < $0 } ?? false
            end(&state, isShort ? .connection : nil)
        }
    }

    static func failure(_ error: any Error) -> ImageFailure {
        switch (error as? URLError)?.code {
        case .cannotFindHost, .dnsLookupFailed: .dns
        case .timedOut: .timeout
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            .tls
        case .badURL, .unsupportedURL: .address
        case .httpTooManyRedirects: .redirects
        case .redirectToNonExistentLocation: .status
        case .dataLengthExceedsMaximum: .size
        default: .connection
        }
    }
}
