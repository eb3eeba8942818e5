/// A line whose values say whether they may be shown.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text += literal }

        public mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy = .auto) {
            text += privacy.isShown ?? false ? value() : "<private>"
        }

        public mutating func appendInterpolation(_ value: @autoclosure () -> some BinaryInteger, privacy: OSLogPrivacy = .auto) {
            text += privacy.isShown ?? true ? String(value()) : "<private>"
        }

        public mutating func appendInterpolation(_ value: @autoclosure () -> Double, privacy: OSLogPrivacy = .auto) {
            text += privacy.isShown ?? true ? String(value()) : "<private>"
        }
    }
}
