import COpenSSL
import Testing

@testable import CryptoPrimitives

/// What is written out of P-256 in the source, against OpenSSL's own numbers: few points of the curve would show a wrong digit.
@Suite struct CurveConstantTests {
    private let group: OpaquePointer

    init() throws {
        group = try #require(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
    }

    private func bytes(_ number: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        #expect(BN_bn2binpad(number, &bytes, 32) == 32)
        return bytes
    }

    @Test func order() throws {
        defer { EC_GROUP_free(group) }
        #expect(P256.order == bytes(try #require(EC_GROUP_get0_order(group))))
    }

    @Test func halfOfPrime() throws {
        let prime = try #require(BN_new())
        let half = try #require(BN_new())
        defer {
            BN_free(half)
            BN_free(prime)
            EC_GROUP_free(group)
        }
        #expect(EC_GROUP_get_curve(group, prime, nil, nil, nil) == 1)
        // p is odd, so what is shifted out is the one that is to be taken away.
        #expect(BN_rshift1(half, prime) == 1)
        #expect(P256.halfOfPrime == bytes(half))
    }
}
