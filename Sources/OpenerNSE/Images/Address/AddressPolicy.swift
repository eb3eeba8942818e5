/// From where images may be fetched.
public struct AddressPolicy: Sendable {
    /// Names, or `*.` and a name for all below it; nil: all hosts of the Internet.
    public var allowedHosts: [String]?
    public var allowedPorts: Set<Int>
    /// Whether this machine and networks of one's own are allowed, for tests and for networks without an Internet.
    public var allowsOwnNetworks: Bool

    public init(allowedHosts: [String]? = nil, allowedPorts: Set<Int> = [443], allowsOwnNetworks: Bool = false) {
        self.allowedHosts = allowedHosts?.map { $0.lowercased() }
        self.allowedPorts = allowedPorts
        self.allowsOwnNetworks = allowsOwnNetworks
    }

    /// Looks at an address before anything is sent, and at every one that a redirect leads to.
    /// - Throws: the rule that is against it: ``ImageFailure/address``, `scheme`, `user`, `port`, `host` or `network`.
    public func check(_ url: String) throws(ImageFailure) -> ImageAddress {
        let address = try ImageAddress(url)
        guard allowedPorts.contains(address.port) else { throw .port }
        guard isListed(address.host) else { throw .host }
        let isAllowed = address.literal.map(allows(resolved:)) ?? (allowsOwnNetworks || !isLocal(address.host))
        guard isAllowed else { throw .network }
        return address
    }

    /// Whether an address that a name led to may be connected to.
    /// - Parameter bytes: 4 or 16, as they travel.
    public func allows(resolved bytes: [UInt8]) -> Bool {
        switch AddressKind(bytes) {
        case .global: true
        case .loopback, .ownNetwork, .linkLocal: allowsOwnNetworks
        case .unspecified, .multicast, .reserved, .embedded, nil: false
        }
    }

    private func isListed(_ host: String) -> Bool {
        guard let allowedHosts else { return true }
        return allowedHosts.contains { entry in
            entry.hasPrefix("*.") ? host.hasSuffix(entry.dropFirst()) && host.utf8.count >= entry.utf8.count : host == entry
        }
    }

    /// Names that are not of the Internet: RFC 6761, 6762 and 8375, `internal`, and those without a dot.
    private func isLocal(_ host: String) -> Bool {
        guard host.contains(".") else { return true }
        return [".localhost", ".localdomain", ".local", ".internal", ".home.arpa"].contains { host.hasSuffix($0) }
    }
}
