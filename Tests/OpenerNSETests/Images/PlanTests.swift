import OpenerNSE
import Testing

/// What is done with an image is known from its header.
struct PlanTests {
    /// A scaler that needs so much, or cannot scale.
    struct Costly: ImageScaling {
        let cost: Int?

        func memory(for header: ImageHeader, longestSide: Int) -> Int? { cost }

        func scale(_ order: ScalingOrder) throws(ImageFailure) -> AttachedImage { throw .decoding }
    }

    private func plan(
        _ width: Int, _ height: Int, _ traits: ImageTraits = [], byteCount: Int? = 1000, cost: Int? = 1000
    ) -> ImagePlan {
        ImagePlan(
            ImageHeader(type: .png, width: width, height: height, traits: traits), byteCount: byteCount, limits: ImageLimits(),
            scaler: Costly(cost: cost))
    }

    @Test func scaledWhereMemoryAllows() {
        #expect(plan(4000, 3000) == .scale(byteCount: 1000))
        #expect(plan(10, 10) == .scale(byteCount: 1000))
        #expect(plan(10_000, 5000, byteCount: 100_000_000, cost: 8_000_000) == .scale(byteCount: 8_000_000))
    }

    @Test func unscaledWhereTheSystemAllows() {
        #expect(plan(5000, 5000, cost: 8_000_001) == .attachUnscaled(.overBudget))
        #expect(plan(5000, 5000, byteCount: 10_000_000, cost: nil) == .attachUnscaled(.noDecoder))
        #expect(plan(5000, 5000, byteCount: nil, cost: nil) == .attachUnscaled(.noDecoder))
        // What moves and is small enough goes on moving.
        #expect(plan(1024, 10, .animated) == .attachUnscaled(.moving))
        #expect(plan(1025, 10, .animated) == .scale(byteCount: 1000))
        #expect(plan(1024, 10, .animated, byteCount: 10_000_001) == .scale(byteCount: 1000))
    }

    @Test func leftOutElse() {
        #expect(plan(5001, 5000, cost: 8_000_001) == .leaveOut(.overBudget))
        #expect(plan(5000, 5000, byteCount: 10_000_001, cost: 8_000_001) == .leaveOut(.overBudget))
        #expect(plan(5001, 5000, cost: nil) == .leaveOut(.noDecoder))
        #expect(plan(10_001, 5000) == .leaveOut(.overBudget))
        #expect(plan(65_536, 1) == .attachUnscaled(.overBudget))
        #expect(plan(65_535, 65_535, byteCount: nil) == .leaveOut(.overBudget))
        #expect(plan((1 << 31) - 1, (1 << 31) - 1) == .leaveOut(.overBudget))
        #expect(plan(10, 10, .uncommon) == .leaveOut(.decoding))
    }

    @Test func withoutScaler() {
        let limits = ImageLimits()
        #expect(
            ImagePlan(ImageHeader(type: .gif, width: 9, height: 9), byteCount: 9, limits: limits, scaler: nil)
                == .attachUnscaled(.noDecoder))
        let large = ImageHeader(type: .jpeg, width: 6000, height: 5000)
        #expect(ImagePlan(large, byteCount: 9, limits: limits, scaler: nil) == .leaveOut(.noDecoder))
    }
}
