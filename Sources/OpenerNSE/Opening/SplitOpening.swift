import CryptoPrimitives
import EnvelopeFormat

/// Opening in the split profile (envelope spec, section 10).
enum SplitOpening {
    /// Tries the keys that may open: exactly one has to.
    static func open(_ envelope: SplitEnvelope, with keys: [HeldSplitKey], now: Int64) throws(Outcome) -> Content {
        guard !keys.isEmpty else { throw .unknownKey }
        let trusted = keys.filter { $0.state.opens }
        guard !trusted.isEmpty else { throw .keyRevoked }
        let current = trusted.filter { $0.openUntil.map { now <= $0 } ?? true }
        guard !current.isEmpty else { throw .keyRetired }
        let readable = current.compactMap { if case .value(let key) = $0.key { key } else { nil } }
        guard !readable.isEmpty else { throw .keyLocked }
        let texts = readable.compactMap { try? envelope.open(with: $0) }
        guard let text = texts.first, texts.count == 1 else {
            throw texts.isEmpty && readable.count < current.count ? .keyLocked : .notAuthentic
        }
        guard let body = String(strictUTF8: text) else { throw .badClaims }
        var content = Content()
        content.body = body
        return content
    }
}
