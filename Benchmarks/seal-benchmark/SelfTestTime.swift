import BenchmarkSupport
import KeyStore

/// What the self-test costs the first seal of a process, and every other.
enum SelfTestTime {
    private static let rounds = 200
    private static let asked = 1_000_000

    static func run() throws {
        let first = time { if SelfTest.firstFailure() != nil { fatal("the self-test") } }
        let again = (0..<rounds).map { _ in time { _ = SelfTest.firstFailure() } }.median
        let header = Array(repeating: UInt8(ascii: "x"), count: 200)
        let hpke = BareHPKE(plaintextByteCount: 512, header: header)
        let dir = BareSeal(plaintextByteCount: 512, header: header)
        let seal = try (0..<rounds).map { _ in try time { try hpke.seal() } }.median
        let short = try time { for _ in 0..<asked / 100 { try dir.seal() } } / Double(asked / 100)
        try SelfTest.require()
        let require = try time { for _ in 0..<asked { try SelfTest.require() } } / Double(asked)
        print(
            "self-test: first \(text(first * 1e3)) ms, again \(text(again * 1e3)) ms = \(text(first / seal, 1)) and "
                + "\(text(again / seal, 1)) bare seals of HPKE-7 (\(text(seal * 1e6, 1)) µs); asked afterwards \(text(require * 1e9, 1)) ns "
                + "= \(text(require / short * 100)) % of a bare seal of dir")
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = Clock.thread
        try body()
        return Clock.thread - start
    }
}
