import Foundation

/// Lines with placeholders for what differs from run to run.
enum ExpectedText {
    private static let shapes = [
        "kid": #"[A-Za-z0-9_-]{16}\.[0-9]+"#, "handle": "[A-Za-z0-9_-]{16}", "device": "[A-Za-z0-9_-]{43}",
        "jti": "[A-Za-z0-9_-]{22}", "jwe": #"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){4}"#, "base64": "[A-Za-z0-9+/=_-]+",
        "time": "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", "seconds": "[0-9]{10}", "number": "[0-9]+",
        "hex": "[0-9a-f]+", "text": ".*?", "size": "[0-9]{1,4}",
    ]

    /// Whether the lines are as expected; names that placeholders give are added to `variables`.
    static func matches(_ expected: [String], _ actual: [String], _ variables: inout [String: String]) -> Bool {
        guard let first = expected.first else { return actual.isEmpty }
        let rest = Array(expected.dropFirst())
        if first == "..." {
            for skipped in 0...actual.count {
                var attempt = variables
                if matches(rest, Array(actual.dropFirst(skipped)), &attempt) {
                    variables = attempt
                    return true
                }
            }
            return false
        }
        guard let line = actual.first else { return false }
        var attempt = variables
        guard matches(line: first, line, &attempt), matches(rest, Array(actual.dropFirst()), &attempt) else {
            return false
        }
        variables = attempt
        return true
    }

    private static func matches(line expected: String, _ actual: String, _ variables: inout [String: String]) -> Bool {
        var pattern = "^"
        var names: [String] = []
        var rest = expected[...]
        while let match = rest.firstMatch(of: /<([a-z0-9]+)( ([a-z][a-z0-9_]*))?>/) {
            pattern += NSRegularExpression.escapedPattern(for: String(rest[..<match.range.lowerBound]))
            rest = rest[match.range.upperBound...]
            let name = match.output.3.map(String.init)
            if let name, let value = variables[name] {
                pattern += NSRegularExpression.escapedPattern(for: value)
            } else if let name, let index = names.firstIndex(of: name) {
                pattern += "\\\(index + 1)"
            } else if let shape = shapes[String(match.output.1)] {
                pattern += name == nil ? "(?:\(shape))" : "(\(shape))"
                if let name { names.append(name) }
            } else if let value = variables[String(match.output.1)] {
                pattern += NSRegularExpression.escapedPattern(for: value)
            } else {
                return false
            }
        }
        pattern += NSRegularExpression.escapedPattern(for: String(rest)) + "$"
        guard let expression = try? NSRegularExpression(pattern: pattern),
            let match = expression.firstMatch(in: actual, range: NSRange(actual.startIndex..., in: actual))
        else { return false }
        for (index, name) in names.enumerated() {
            if let range = Range(match.range(at: index + 1), in: actual) { variables[name] = String(actual[range]) }
        }
        return true
    }
}
