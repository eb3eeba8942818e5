import OpenerNSE

/// The options of `simulate` that say what the phone and its app are like, looked at before anything is begun.
enum SimulateOptions {
    /// - Parameter option: one that takes tags.
    /// - Throws: `usage` for what is no tag.
    static func languages(_ option: String, _ invocation: Invocation) throws(CommandError) -> [String] {
        for tag in invocation.values(option) where LanguageTag(tag) == nil {
            throw invocation.usage("--\(option) is no BCP 47 tag of a language, such as de or zh-Hant-HK")
        }
        return invocation.values(option)
    }

    /// From where images may come.
    /// - Throws: `usage` for what is neither a port nor a name.
    static func images(_ invocation: Invocation) throws(CommandError) -> AddressPolicy {
        var policy = AddressPolicy(
            allowedHosts: invocation.has("allow-host") ? invocation.values("allow-host") : nil,
            allowsOwnNetworks: invocation.has("allow-own-networks"))
        for host in invocation.values("allow-host") where !isHost(host.hasPrefix("*.") ? String(host.dropFirst(2)) : host) {
            throw invocation.usage("--allow-host is the name of a host, or *. and a name; no address, and without a port")
        }
        for port in invocation.values("allow-port") {
            guard let number = UInt16(port), number > 0 else { throw invocation.usage("--allow-port is none of 1 to 65535") }
            policy.allowedPorts.insert(Int(number))
        }
        return policy
    }

    /// Whether it is one and nothing else, as an address would have it.
    private static func isHost(_ text: String) -> Bool {
        let text = text.lowercased()
        let address = try? AddressPolicy(allowsOwnNetworks: true).check("https://\(text.contains(":") ? "[\(text)]" : text)/")
        return address?.host == text && address?.target == "/"
    }
}
