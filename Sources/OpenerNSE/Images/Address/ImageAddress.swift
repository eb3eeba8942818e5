/// An `https` address that was taken apart, in a form that every reader takes apart the same way.
public struct ImageAddress: Sendable, Equatable {
    /// Lowercase, without a dot at the end; an IPv6 address without its brackets.
    public let host: String
    public let port: Int
    /// The path and the query, beginning with a slash; what stood behind a `#` is not sent.
    public let target: String
    /// 4 or 16 bytes where the host is an IP address and no name.
    public let literal: [UInt8]?

    /// As it is asked for: in the one form of all that come to the same.
    public var text: String {
        let name = literal?.count == 16 ? "[\(host)]" : host
        return "https://\(name)\(port == 443 ? "" : ":\(port)")\(target)"
    }

    /// - Throws: ``ImageFailure/scheme`` for what is not `https`, ``ImageFailure/user`` for a user's name in it, and
    ///   ``ImageFailure/address`` for what can be read in several ways.
    init(_ url: String) throws(ImageFailure) {
        let scheme = "https://"
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .address }
        guard url.prefix(scheme.count).lowercased() == scheme else { throw .scheme }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        // Some read a backslash as a slash, and then another host.
        guard !authority.contains("\\") else { throw .address }
        guard !authority.contains("@") else { throw .user }
        guard let parts = Self.parts(authority) else { throw .address }
        let tail = rest[authority.endIndex...].prefix { $0 != "#" }
        target = tail.hasPrefix("/") ? String(tail) : "/" + tail
        (host, port, literal) = parts
    }

    private static func parts(_ authority: Substring) -> (host: String, port: Int, literal: [UInt8]?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), let port = port(authority[authority.index(after: end)...]) else { return nil }
            let text = authority[authority.index(after: authority.startIndex)..<end]
            guard let bytes = AddressText.six(text) else { return nil }
            return (text.lowercased(), port, bytes)
        }
        let text = authority.prefix { $0 != ":" }
        guard let port = port(authority[text.endIndex...]), let host = name(text) else { return nil }
        guard let last = host.split(separator: ".").last, last.utf8.first.map({ (0x30...0x39).contains($0) }) == true else {
            return (host, port, nil)
        }
        // No top level begins with a digit: it is a number, and of the many ways to write it one is taken.
        guard let bytes = AddressText.four(host[...]) else { return nil }
        return (host, port, bytes)
    }

    /// - Parameter text: empty, or a colon and digits.
    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty else { return 443 }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65535).contains(port)
        else { return nil }
        return port
    }

    private static func name(_ text: Substring) -> String? {
        let host = (text.hasSuffix(".") ? text.dropLast() : text).lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
        }
        return isName && host.utf8.count <= 253 ? host : nil
    }
}
