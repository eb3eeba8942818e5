import Testing

@testable import KeyStore

/// Where the bundle numbers of a restored store begin.
@Suite struct SequenceFloorTests {
    private static let step: Int64 = 1 << 20
    private static let now: Int64 = 1_800_000_000

    /// Of one backup in one second, and by a clock that was set back behind an earlier restoration.
    @Test(arguments: [0, now, (now + 7) * step + 5]) func twoOfOneSecondBeginApart(last: Int64) throws {
        let floors = try (0..<64).map { _ in try SequenceFloor.above(last, now: Self.now) }
        let second = max(last / Self.step, Self.now) + 1
        #expect(floors.allSatisfy { $0 > last && $0 / Self.step == second })
        // 2,016 pairs of a million places.
        #expect(Set(floors).count > 60)
        let places = floors.map { $0 % Self.step }
        #expect(places.contains { $0 < Self.step / 2 } && places.contains { $0 >= Self.step / 2 })
    }

    @Test func theLastSecondHasRoomBelow53Bits() throws {
        let last: Int64 = (1 << 33) - 3
        for (used, now) in [(Int64(0), last), (last * Self.step + Self.step - 1, 0)] {
            for _ in 0..<16 { #expect(try SequenceFloor.above(used, now: now) < (1 << 53) - Self.step) }
            let beyond = failure { _ = try SequenceFloor.above(used + Self.step, now: now + 1) }
            #expect(beyond?.kind == .badInput)
        }
    }
}
