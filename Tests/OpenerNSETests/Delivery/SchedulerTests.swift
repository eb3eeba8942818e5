import EnvelopeFormat
import Foundation
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

    @Test func stuckImagesHoldNobodyUp() throws {
        let phone = try Phone()
        try phone.hold()
        let images = StuckImages()
        let pipeline = NotificationPipeline(
            opener: phone.opener(), images: images, scheduler: SystemScheduler(),
            configuration: PipelineConfiguration(deadline: .seconds(8)))
        let count = 200
        let sealed = try (0..<count).map { number in
            try phone.seal(try phone.claims(UInt8(number), more: #","image":{"url":"https://example.com/a"}"#))
        }
        let (deliveries, delivered) = (Deliveries(), DispatchSemaphore(value: 0))
        for (number, text) in sealed.enumerated() {
            let handler = deliveries.handler("\(number)")
            pipeline.receive(IncomingNotification(identifier: "\(number)", sealed: .string(text), arrival: Phone.now)) {
                handler($0)
                delivered.signal()
            }
        }
        // Long before the images, which come when the test is over.
        let end = DispatchTime.now() + 60
        for _ in 0..<count { guard delivered.wait(timeout: end) == .success else { break } }
        for number in 0..<count { #expect(deliveries.of("\(number)").map(\.text.body) == ["inside"]) }
        for _ in 0..<count { images.end.signal() }
    }
}
