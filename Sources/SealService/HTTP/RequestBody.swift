import CryptoPrimitives
import EnvelopeFormat
import Synchronization

/// The bytes of a request's body, which may hold secrets and hold texts of messages: wiped when it goes.
final class RequestBody: Sendable {
    private let bytes: Mutex<[UInt8]>

    /// - Parameter bytes: what nobody else keeps.
    init(_ bytes: consuming [UInt8]) { self.bytes = Mutex(bytes) }

    deinit { bytes.withLock { wipe(&$0) } }

    /// The one door to the bytes; the callee must not keep them.
    func withBytes<Result, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
        try bytes.withLock { (bytes) throws(Failure) in try body(bytes) }
    }
}
