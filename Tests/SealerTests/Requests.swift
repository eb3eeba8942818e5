import EnvelopeFormat
import Foundation

@testable import Sealer

/// A request read from JSON.
func request(_ json: String) throws -> SealRequest { try SealRequest(parsing: Array(json.utf8)) }

/// The format error of a body that must fail with one; nil when it does not.
func formatError(_ body: () throws -> Void) -> FormatError? {
    do {
        try body()
        return nil
    } catch let error as FormatError {
        return error
    } catch SealingError.request(let error) {
        return error
    } catch { return nil }
}

/// The sealing error of a body that must fail with one; nil when it does not.
func sealingError(_ body: () throws -> Void) -> SealingError? {
    do {
        try body()
        return nil
    } catch { return error as? SealingError }
}

extension SealedPush {
    var text: String { String(decoding: payload, as: UTF8.self) }

    /// The payload without what was sealed, `*` in its place.
    var surroundings: String {
        guard let start = text.range(of: #""encrypted_payload":""#)?.upperBound,
            let end = text[start...].firstIndex(of: "\"")
        else { return text }
        return text[..<start] + "*" + text[end...]
    }
}
