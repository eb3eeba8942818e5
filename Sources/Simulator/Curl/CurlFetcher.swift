internal import CCurl
internal import Glibc
internal import KeyStore
public import OpenerNSE

/// Fetches images over https, as an extension on a phone would: nothing in the clear, no address of one's own networks, no more than asked.
public struct CurlFetcher: ImageFetching {
    private static let redirectLimit = 5
    /// Once for the process.
    private static let isReady = waxwing_curl_begin() == CURLE_OK

    /// A file of certificate authorities in place of the system's; for tests.
    private let authorities: String?

    public init(authorities: String? = nil) {
        self.authorities = authorities
        // Here, and not on the thread that fetches: it changes the environment.
        _ = Self.isReady
    }

    /// That libcurl is new enough, as it was loaded.
    /// - Throws: `.unavailable` naming what was found and what is the least.
    static func checkLibrary() throws(KeyStoreError) {
        try LibraryFloor.libcurl.require(waxwing_curl_version().map { String(cString: $0) } ?? "")
    }

    public func fetch(
        _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
    ) throws(ImageFailure) {
        guard Self.isReady else { throw .connection }
        let deadline = ContinuousClock.now + request.budget
        var address = request.address
        for _ in 0...Self.redirectLimit {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, isWanted() else { throw .timeout }
            guard let next = try step(address, request, left, isWanted, body) else { return }
            // Every address on the way is looked at as the first was.
            address = try request.policy.check(next)
        }
        throw .redirects
    }

    /// - Returns: where it leads; nil when the bytes were handed over.
    private func step(
        _ address: ImageAddress, _ request: ImageRequest, _ left: Duration, _ isWanted: () -> Bool, _ body: ([UInt8]) -> Bool
    ) throws(ImageFailure) -> String? {
        let result: Result<String?, ImageFailure> = withoutActuallyEscaping(isWanted) { isWanted in
            withoutActuallyEscaping(body) { body in
                let transfer = CurlTransfer(policy: request.policy, byteLimit: request.byteLimit, isWanted: isWanted, body: body)
                do throws(ImageFailure) { return .success(try transfer.run(address.text, authorities, left)) } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}
