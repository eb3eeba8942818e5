import OpenerNSE
import Testing

/// From where images may come.
struct AddressTests {
    static let kinds: [(text: String, kind: AddressKind)] = [
        ("0.0.0.0", .unspecified), ("0.255.255.255", .unspecified), ("1.0.0.0", .global), ("9.255.255.255", .global),
        ("10.0.0.0", .ownNetwork), ("10.255.255.255", .ownNetwork), ("11.0.0.0", .global), ("100.63.255.255", .global),
        ("100.64.0.0", .ownNetwork), ("100.127.255.255", .ownNetwork), ("100.128.0.0", .global), ("126.255.255.255", .global),
        ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", .global), ("169.253.255.255", .global),
        ("169.254.169.254", .linkLocal), ("169.255.0.0", .global), ("172.15.255.255", .global), ("172.16.0.0", .ownNetwork),
        ("172.31.255.255", .ownNetwork), ("172.32.0.0", .global), ("192.0.0.0", .reserved), ("192.0.0.255", .reserved),
        ("192.0.1.0", .global), ("192.0.2.1", .reserved), ("192.0.3.0", .global), ("192.88.99.1", .reserved), ("192.88.98.1", .global),
        ("192.167.255.255", .global), ("192.168.0.0", .ownNetwork), ("192.168.255.255", .ownNetwork), ("192.169.0.0", .global),
        ("198.17.255.255", .global), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved), ("198.20.0.0", .global),
        ("198.51.100.9", .reserved), ("198.51.101.9", .global), ("203.0.113.9", .reserved), ("203.0.114.9", .global),
        ("223.255.255.255", .global), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("240.0.0.0", .reserved),
        ("255.255.255.255", .reserved), ("8.8.8.8", .global),
        ("::", .unspecified), ("::1", .loopback), ("::2", .unspecified), ("::7f00:1", .loopback), ("::ffff:127.0.0.1", .loopback),
        ("::ffff:10.1.2.3", .ownNetwork), ("::ffff:8.8.8.8", .embedded), ("::8.8.8.8", .embedded), ("::ffff:0:127.0.0.1", .loopback),
        ("::ffff:0:8.8.8.8", .embedded), ("::fffe:8.8.8.8", .reserved), ("64:ff9b::8.8.8.8", .global),
        ("64:ff9b::192.168.1.1", .ownNetwork), ("64:ff9b::169.254.169.254", .linkLocal), ("64:ff9b:1::8.8.8.8", .ownNetwork),
        ("64:ff9b:2::8.8.8.8", .reserved), ("100::1", .reserved), ("1fff::1", .reserved), ("2000::1", .global), ("2001::1", .reserved),
        ("2001:1ff:ffff::1", .reserved), ("2001:200::1", .global), ("2001:db7::1", .global), ("2001:db8::1", .reserved),
        ("2001:db9::1", .global), ("2002:a01:203::1", .ownNetwork), ("2002:7f00:1::", .loopback), ("2002:808:808::1", .embedded),
        ("2003::1", .global), ("2606:4700:4700::1111", .global), ("3ffe::1", .global), ("3fff::1", .reserved),
        ("3fff:fff:ffff::1", .reserved), ("3fff:1000::1", .global), ("4000::1", .reserved), ("5f00::1", .reserved),
        ("fbff::1", .reserved), ("fc00::1", .ownNetwork), ("fdff:ffff::1", .ownNetwork), ("fe00::1", .reserved), ("fe7f::1", .reserved),
        ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .ownNetwork), ("feff::1", .ownNetwork), ("ff02::1", .multicast),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast),
    ]

    @Test(arguments: kinds.indices)
    func kind(index: Int) throws {
        let (text, kind) = Self.kinds[index]
        let host = text.contains(":") ? "[\(text)]" : text
        // Every address is taken apart by the same code as in a URL; what is not global is refused there.
        let bytes = try #require(text.contains(":") ? Self.six(text) : Self.four(text))
        #expect(AddressKind(bytes) == kind)
        let isTaken = (try? AddressPolicy().check("https://\(host)/")) != nil
        #expect(isTaken == (kind == .global))
        #expect(AddressPolicy().allows(resolved: bytes) == (kind == .global))
        let isOwn = [.loopback, .ownNetwork, .linkLocal, .global].contains(kind)
        #expect(AddressPolicy(allowsOwnNetworks: true).allows(resolved: bytes) == isOwn)
        #expect(((try? AddressPolicy(allowsOwnNetworks: true).check("https://\(host)/")) != nil) == isOwn)
    }

    @Test func otherLengths() {
        for count in [0, 1, 3, 5, 8, 15, 17] {
            #expect(AddressKind([UInt8](repeating: 8, count: count)) == nil)
            #expect(!AddressPolicy(allowsOwnNetworks: true).allows(resolved: [UInt8](repeating: 8, count: count)))
        }
    }

    @Test(arguments: [
        ("https://cdn.example.com/a/b.jpg?x=1#part", "cdn.example.com", 443, "/a/b.jpg?x=1"),
        ("https://EXAMPLE.com", "example.com", 443, "/"),
        ("HTTPS://example.com.:443?q", "example.com", 443, "/?q"), ("https://a_b.example.com/%2F..", "a_b.example.com", 443, "/%2F.."),
        ("https://xn--bcher-kva.example/@x:y", "xn--bcher-kva.example", 443, "/@x:y"), ("https://8.8.8.8/", "8.8.8.8", 443, "/"),
        ("https://[2606:4700::1111]:443/x", "2606:4700::1111", 443, "/x"),
    ])
    func taken(url: String, host: String, port: Int, target: String) throws {
        let address = try AddressPolicy().check(url)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.target == target)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "http://example.com/", "ftp://example.com/", "file:///etc/passwd",
        "data:image/png;base64,AAAA", "https:/example.com/", "https://user@example.com/", "https://user:pass@example.com/",
        "https://example.com@127.0.0.1/", "https://example.com\\@127.0.0.1/", "https://127.0.0.1\\.example.com/",
        "https://example.com:444/", "https://example.com:0/", "https://example.com:/", "https://example.com:+443/",
        "https://example.com:65536/", "https://example.com:443443/", "https://localhost/", "https://LOCALHOST./",
        "https://a.localhost/", "https://localhost.localdomain/", "https://printer.local/", "https://x.internal/",
        "https://router.home.arpa/", "https://intranet/", "https://127.0.0.1/", "https://127.1/", "https://2130706433/",
        "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://1.2.3.4.5/",
        "https://1.2.3/", "https://256.1.1.1/", "https://8.8.8.8.1e100/", "https://[::1]/", "https://[fe80::1%25eth0]/",
        "https://[::ffff:8.8.8.8]/", "https://[::ffff:7f00:1]/", "https://[1:2:3:4:5:6:7]/", "https://[1:2:3:4:5:6:7:8:9]/",
        "https://[2606::1::1]/", "https://[2606:4700:::1111]/", "https://[2606:4700::11111]/", "https://[8.8.8.8]/",
        "https://[2606:4700::1.2.3]/", "https://[2606:4700::1111/", "https://[2606:4700::1111]x/", "https://[2606:4700::+111]/",
        "https://[]/", "https://exa mple.com/", "https://ex\u{E4}mple.com/", "https://exam%70le.com/", "https://example..com/",
        "https://.example.com/", "https://-a.example.com/", "https://a-.example.com/", "https://example.com..",
        "https://\(String(repeating: "a", count: 64)).com/", "https://\(String(repeating: "a.", count: 127))com/",
        "https://example.com/\n", "https://example.com/\u{0}",
    ])
    func refused(url: String) {
        #expect(throws: ImageFailure.self) { try AddressPolicy().check(url) }
    }

    /// Which rule it was.
    @Test(arguments: [
        ("https://", ImageFailure.address), ("https://ex\u{E4}mple.com/", .address), ("https://example.com:0/", .address),
        ("https://127.1/", .address), ("https://a@b\\c.example.com/", .address), ("", .scheme), ("http://example.com/", .scheme),
        ("file:///etc/passwd", .scheme), ("https://user@example.com/", .user), ("https://user:pw@10.0.0.1:1/", .user),
        ("https://example.com:444/", .port), ("https://localhost:8443/", .port), ("https://localhost/", .network),
        ("https://intranet/", .network), ("https://printer.local/", .network), ("https://10.0.0.1/", .network),
        ("https://[::1]/", .network), ("https://224.0.0.1/", .network),
    ])
    func theRuleIsNamed(url: String, rule: ImageFailure) {
        #expect(throws: rule) { try AddressPolicy().check(url) }
    }

    @Test func listsOfHosts() throws {
        let policy = AddressPolicy(allowedHosts: ["CDN.example.com", "*.example.net"], allowedPorts: [443, 8443])
        for url in ["https://cdn.example.com/", "https://cdn.example.com:8443/", "https://a.example.net/", "https://a.b.example.net./"] {
            _ = try policy.check(url)
        }
        for url in [
            "https://example.com/", "https://x.cdn.example.com/", "https://example.net/", "https://aexample.net/",
            "https://cdn.example.com.evil.example/", "https://8.8.8.8/",
        ] {
            #expect(throws: ImageFailure.host) { try policy.check(url) }
        }
        #expect(throws: ImageFailure.port) { try policy.check("https://cdn.example.com:444/") }
        #expect(throws: ImageFailure.address) { try policy.check("https://.example.net/") }
        // A list takes nothing in that is of this machine.
        #expect(throws: ImageFailure.network) { try AddressPolicy(allowedHosts: ["127.0.0.1"]).check("https://127.0.0.1/") }
        #expect(throws: ImageFailure.network) { try AddressPolicy(allowedHosts: ["localhost"]).check("https://localhost/") }
        #expect(throws: ImageFailure.host) { try AddressPolicy(allowedHosts: []).check("https://example.com/") }
    }

    private static func four(_ text: String) -> [UInt8]? {
        let bytes = text.split(separator: ".").compactMap { UInt8($0) }
        return bytes.count == 4 ? bytes : nil
    }

    /// Written once more, for the tests.
    private static func six(_ text: String) -> [UInt8]? {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if let last = parts.last, let four = four(last) {
            parts.removeLast()
            parts += [String(Int(four[0]) << 8 | Int(four[1]), radix: 16), String(Int(four[2]) << 8 | Int(four[3]), radix: 16)]
        }
        if parts.first == "" { parts[0] = "0" }
        if parts.last == "" { parts[parts.count - 1] = "0" }
        if let gap = parts.firstIndex(of: "") {
            parts.replaceSubrange(gap...gap, with: [String](repeating: "0", count: 9 - parts.count))
        }
        let groups = parts.compactMap { UInt16($0, radix: 16) }
        return groups.count == 8 ? groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } : nil
    }
}
