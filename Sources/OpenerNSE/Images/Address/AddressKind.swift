/// What an IP address is for, by the registries of special-purpose addresses (RFC 6890 and its successors).
public enum AddressKind: Sendable, Equatable {
    /// Of the Internet at large.
    case global
    /// Unspecified, or "this network".
    case unspecified
    case loopback
    /// Of networks that are somebody's own: RFC 1918, carriers' NAT, ULA, site-local, NAT64 of a network's own.
    case ownNetwork
    case linkLocal
    case multicast
    /// Documentation, benchmarks, protocols, the future.
    case reserved
    /// An IPv4 address of the Internet in IPv6, in a form that is no way to reach it (mapped, compatible, 6to4).
    case embedded

    /// - Parameter bytes: 4 or 16, as they travel.
    /// - Returns: nil for other lengths.
    public init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = Self.kind(bytes, in: Self.four) ?? .global
        case 16: self = Self.six(bytes)
        default: return nil
        }
    }

    private typealias Network = (prefix: [UInt8], length: Int, kind: AddressKind)

    private static let four: [Network] = [
        ([0], 8, .unspecified), ([10], 8, .ownNetwork), ([100, 64], 10, .ownNetwork), ([127], 8, .loopback),
        ([169, 254], 16, .linkLocal), ([172, 16], 12, .ownNetwork), ([192, 0, 0], 24, .reserved), ([192, 0, 2], 24, .reserved),
        ([192, 88, 99], 24, .reserved), ([192, 168], 16, .ownNetwork), ([198, 18], 15, .reserved), ([198, 51, 100], 24, .reserved),
        ([203, 0, 113], 24, .reserved), ([224], 4, .multicast), ([240], 4, .reserved),
    ]

    /// Of 2000::/3; what is in none of them and not in there is reserved.
    private static let six: [Network] = [
        ([0xFC], 7, .ownNetwork), ([0xFE, 0x80], 10, .linkLocal), ([0xFE, 0xC0], 10, .ownNetwork), ([0xFF], 8, .multicast),
        ([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48, .ownNetwork),
        // Protocols (Teredo among them), documentation twice.
        ([0x20, 0x01, 0x00], 23, .reserved), ([0x20, 0x01, 0x0D, 0xB8], 32, .reserved), ([0x3F, 0xFF, 0x00], 20, .reserved),
        ([0x20], 3, .global),
    ]

    private static func six(_ bytes: [UInt8]) -> AddressKind {
        let zeros = bytes.prefix { $0 == 0 }.count
        if zeros == 16 { return .unspecified }
        if zeros == 15, bytes[15] == 1 { return .loopback }
        // Compatible, mapped, and translated of old (RFC 2765).
        if zeros >= 12 || zeros == 10 && bytes[10...11].elementsEqual([0xFF, 0xFF])
            || zeros == 8 && bytes[8...11].elementsEqual([0xFF, 0xFF, 0, 0])
        {
            return embedded(bytes[12...])
        }
        if bytes.starts(with: [0x20, 0x02]) { return embedded(bytes[2..<6]) }
        // NAT64 (RFC 6052) is how a network without IPv4 reaches the rest.
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
            return kind(Array(bytes[12...]), in: four) ?? .global
        }
        return kind(bytes, in: six) ?? .reserved
    }

    private static func embedded(_ bytes: ArraySlice<UInt8>) -> AddressKind { kind(Array(bytes), in: four) ?? .embedded }

    private static func kind(_ bytes: [UInt8], in networks: [Network]) -> AddressKind? {
        networks.first { network in
            (0..<network.length).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                let byte = bit / 8 < network.prefix.count ? network.prefix[bit / 8] : 0
                return bytes[bit / 8] & mask == byte & mask
            }
        }?.kind
    }
}
