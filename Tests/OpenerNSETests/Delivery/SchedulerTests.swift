import EnvelopeFormat
import Foundation
import Synchronization
import Testing

@testable import OpenerNSE

/// However many images are waited for, opening and the clock go on.
@Suite struct SchedulerTests {
    /// Images that come when the test is over.
    private final class StuckImages: ImageAttaching {
        let end = DispatchSemaphore(value: 0)

        func attach(
            _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
        ) throws(ImageFailure) -> AttachedImage {
            end.wait()
            throw .timeout
        }
    }

    @Test func stuckImagesHoldNobodyUp() async throws {
        let phone = try Phone()
        try phone.hold()
        let images = StuckImages()
        let pipeline = NotificationPipeline(
            opener: phone.opener(), images: images, scheduler: SystemScheduler(),
            configuration: PipelineConfiguration(deadline: .milliseconds(500)))
        let count = 200
        let sealed = try (0..<count).map { number in
            try phone.seal(try phone.claims(UInt8(number), more: #","image":{"url":"https://example.com/a"}"#))
        }
        let deliveries = Deliveries()
        await withTaskGroup(of: Void.self) { group in
            for (number, text) in sealed.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let handler = deliveries.handler("\(number)")
                        pipeline.receive(IncomingNotification(identifier: "\(number)", sealed: .string(text), arrival: Phone.now)) {
                            handler($0)
                            continuation.resume()
                        }
                    }
                }
            }
        }
        for number in 0..<count { #expect(deliveries.of("\(number)").map(\.text) == [ShownText(body: "inside")]) }
        for _ in 0..<count { images.end.signal() }
    }
}
