import COpenSSL
import Testing

@testable import CryptoPrimitives

/// An answer of OpenSSL that is no success is an error with its reason, and leaves nothing in the queue for the next.
@Suite struct OpenSSLCheckTests {
    private func reason(_ body: () throws(CryptoKitError) -> Void) -> Int32? {
        do throws(CryptoKitError) {
            try body()
            return nil
        } catch {
            guard case .underlyingCoreCryptoError(let reason) = error else { return nil }
            return reason
        }
    }

    @Test(arguments: [0, -1, 2] as [Int32]) func onlyOneIsSuccess(_ answer: Int32) {
        ERR_clear_error()
        #expect(reason { () throws(CryptoKitError) in try require(answer) } == 0)
        #expect(reason { () throws(CryptoKitError) in try require(1 as Int32) } == nil)
    }

    @Test func theReasonIsNamedAndTakenOff() {
        ERR_clear_error()
        let none = EVP_MD_fetch(nil, "no such digest", nil)
        let last = ERR_peek_last_error()
        #expect(none == nil && last != 0)
        #expect(reason { () throws(CryptoKitError) in _ = try require(none) } == Int32(last & 0x7F_FFFF))
        #expect(ERR_peek_error() == 0)
    }
}
