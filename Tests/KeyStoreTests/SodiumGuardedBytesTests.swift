import KeyStore
import Testing

@Suite struct SodiumGuardedBytesTests {
    private struct Refusal: Error {}

    @Test func consumingWipesTheSource() throws {
        var source = Array("secret".utf8)
        let bytes = try GuardedBytes(consuming: &source)
        #expect(source.isEmpty)
        #expect(bytes.count == 6)
        #expect(bytes.withBytes { Array($0) } == Array("secret".utf8))
    }

    @Test func isFilledByItsInitialiserAndZeroElsewhere() throws {
        let bytes = try GuardedBytes(count: 4) { $0[1] = 9 }
        #expect(bytes.withBytes { Array($0) } == [0, 9, 0, 0])
        #expect(throws: Refusal.self) { try GuardedBytes(count: 4) { _ in throw Refusal() } }
        #expect(try GuardedBytes(randomCount: 0).withBytes { $0.count } == 0)
        #expect(throws: SodiumError.wrongLength(of: "guarded bytes", byteCount: -1)) {
            try GuardedBytes(randomCount: -1)
        }
    }

    /// 65,530 mappings are what the kernel gives a process; an allocation takes several.
    @Test func frees() throws {
        for _ in 0..<20_000 {
            #expect(throws: Refusal.self) { try GuardedBytes(count: 32) { _ in throw Refusal() } }
        }
    }

    @Test func comparesByBytes() throws {
        let one = try GuardedBytes(randomCount: 32)
        let copy = try one.withBytes { bytes in try GuardedBytes(copying: bytes) }
        let other = try GuardedBytes(randomCount: 32)
        let short = try one.withBytes { bytes in
            try GuardedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(31)))
        }
        #expect(one.isSame(as: copy))
        #expect(!one.isSame(as: other))
        #expect(!one.isSame(as: short))
    }

    @Test func showsNothing() throws {
        var typed = Array("hunter2".utf8)
        let secrets: [Any] = [try GuardedBytes(randomCount: 32), try Passphrase(consuming: &typed)]
        for secret in secrets {
            let name = String(describing: type(of: secret))
            #expect(String(describing: secret) == name)
            #expect(String(reflecting: secret) == name)
            #expect(Mirror(reflecting: secret).children.isEmpty)
            var dumped = ""
            dump(secret, to: &dumped)
            #expect(!dumped.contains("hunter2") && !dumped.contains("pointer"))
            #expect(!(secret is any Encodable) && !(secret is any Decodable) && !(secret is any Hashable))
        }
    }

    @Test func refusesAnEmptyPassphrase() throws {
        var typed: [UInt8] = []
        #expect(throws: SodiumError.emptyPassphrase) { try Passphrase(consuming: &typed) }
        var first = Array("one".utf8)
        var second = Array("two".utf8)
        var again = Array("one".utf8)
        let passphrase = try Passphrase(consuming: &first)
        #expect(first.isEmpty)
        #expect(try !passphrase.isSame(as: Passphrase(consuming: &second)))
        #expect(try passphrase.isSame(as: Passphrase(consuming: &again)))
    }

    @Test func isReadOnlyOnceFilled() throws {
        let fixture = try SessionFixture()
        let result = try fixture.probe(nil, "write-guarded")
        #expect(result.signal == 11)
    }
}
