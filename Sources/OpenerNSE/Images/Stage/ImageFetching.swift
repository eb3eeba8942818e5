/// Fetches the bytes of an image.
///
/// A fetcher follows redirects only to what ``AddressPolicy/check(_:)`` takes, and connects only to addresses that
/// ``AddressPolicy/allows(resolved:)`` takes: a name may lead anywhere.
public protocol ImageFetching: Sendable {
    /// Blocks until all bytes were handed over, `body` answered false, or it failed.
    /// - Parameters:
    ///   - isWanted: asked now and then; false once nobody waits for the image.
    ///   - body: takes the next bytes, in order; false when no more are wanted, which is no failure.
    /// - Throws: ``ImageFailure``: those of ``AddressPolicy/check(_:)``, `redirects`, `dns`, `connection`, `tls`, `timeout`, `status`, `size`.
    func fetch(
        _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
    ) throws(ImageFailure)
}
