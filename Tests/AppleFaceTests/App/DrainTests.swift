import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing
import UserNotifications

@testable import OpenerNSEApple

/// What came while the phone was locked is shown once it is not.
@Suite struct DrainTests {
    /// A phone on which messages came while it was locked, and what the system shows of them.
    private func locked(_ count: Int, at lock: DeviceLock = .locked) throws -> (FacePhone, UNUserNotificationCenter) {
        let phone = try FacePhone()
        try phone.provision(accessible: .whenUnlocked)
        phone.device.lockState = lock
        var requests: [UNNotificationRequest] = []
        for number in 0..<count {
            let request = Push.request(try phone.seal(UInt8(number)), identifier: "request \(number)")
            let delivered = Delivered()
            let service = FaceService()
            FaceService.$current.withValue(phone.settings) {
                service.didReceive(request, withContentHandler: delivered.handler)
            }
            let shown = try delivered.content()
            #expect(shown.body == "New message (ours)")
            requests.append(UNNotificationRequest(identifier: request.identifier, content: shown, trigger: request.trigger))
        }
        return (phone, UNUserNotificationCenter(emulating: requests))
    }

    @Test(arguments: [DeviceLock.locked, .beforeFirstUnlock]) func placeholdersAreRewritten(_ lock: DeviceLock) async throws {
        let (phone, center) = try locked(3, at: lock)
        phone.device.lockState = .unlocked
        let app = try phone.app()
        var expected = DrainReport()
        expected.rewritten = 3
        #expect(try await app.drain(center: center) == expected)
        for number in 0..<3 {
            let content = try #require(center.emulatedContents["request \(number)"])
            #expect(content.body == "inside \(number)" && content.title == "Anna" && content.threadIdentifier == "t")
            #expect(content.sound == nil && content.interruptionLevel == .passive && content.badge == 7)
            #expect(content.userInfo.isEmpty)
        }
        #expect(try await app.drain(center: center) == DrainReport())
        // Each is remembered: a copy of it is a duplicate.
        #expect(try Push.show(try phone.seal(0), on: phone).sound == nil)
        let telemetry = try app.telemetry()
        #expect(telemetry.started == 4 && telemetry.decryption.failed[.keyLocked] == 3)
    }

    @Test func whileItIsLockedAllWaits() async throws {
        let (phone, center) = try locked(2)
        var expected = DrainReport()
        expected.waiting = 2
        #expect(try await phone.app().drain(center: center) == expected)
        #expect(center.emulatedContents["request 0"]?.body == "New message (ours)")
        phone.device.lockState = .unlocked
        #expect(try await phone.app().drain(center: center).rewritten == 2)
    }

    @Test func oneThatTheSystemWillNotTakeWaits() async throws {
        let (phone, center) = try locked(2)
        phone.device.lockState = .unlocked
        center.emulateRefusal()
        let first = try await phone.app().drain(center: center)
        #expect(first.rewritten == 1 && first.waiting == 1)
        let second = try await phone.app().drain(center: center)
        #expect(second.rewritten == 1 && second.waiting == 0)
        #expect(Set(center.emulatedContents.values.map(\.body)) == ["inside 0", "inside 1"])
    }

    @Test func oneThatIsNotYetDeliveredWaits() async throws {
        let (phone, _) = try locked(1)
        phone.device.lockState = .unlocked
        let report = try await phone.app().drain(center: UNUserNotificationCenter(emulating: []))
        #expect(report.waiting == 1 && report.dismissed == 0)
    }

    @Test func oneThatWasDismissedIsNotShownAgain() throws {
        let phone = try FacePhone()
        try phone.provision(accessible: .whenUnlocked)
        phone.device.lockState = .locked
        let parts = DeviceParts(phone.settings)
        let arrived = Delivered()
        let incoming = IncomingNotification(identifier: "r", sealed: .string(try phone.seal()), arrival: phone.now - 100)
        parts.pipeline().receive(incoming) { _ in arrived.handler(UNNotificationContent()) }
        _ = try arrived.content()
        phone.device.lockState = .unlocked
        let center = UNUserNotificationCenter(emulating: [])
        let queue = try #require(parts.container?.queue)
        let report = try Drain(parts: parts, center: center, isStopped: { false }).run(queue)
        #expect(report.dismissed == 1 && report.waiting == 0 && center.emulatedContents.isEmpty)
        #expect(try queue.count() == 0)
    }

    @Test func whatDoesNotOpenAfterwardsWaitsNoMoreAndIsToldOf() async throws {
        let phone = try FacePhone()
        let app = try phone.app()
        _ = try app.identity.make(name: "phone")
        phone.device.lockState = .beforeFirstUnlock
        let shown = try Push.show(try phone.seal(), on: phone)
        phone.device.lockState = .unlocked
        let (identifier, center) = try waitingRequest(phone, shown)
        let report = try await app.drain(center: center)
        #expect(report.unopened == 1 && report.waiting == 0)
        #expect(center.emulatedContents[identifier]?.body == "New message (ours)")
        #expect(try app.takeBundleNotes().map(\.kid) == [try phone.kid()])
    }

    @Test func theSystemMayRefuseAndStopIt() async throws {
        let (phone, center) = try locked(1)
        phone.device.lockState = .unlocked
        let reason = "\(phone.appGroup) drain"
        EmulatedActivities.refuse(reason)
        let report = try await phone.app().drain(center: center)
        #expect(report.isStopped && report.rewritten == 0)
        #expect(try GroupContainer(phone.appGroup).queue.count() == 1)
    }

    @Test func stoppedInTheMiddleTheRestWaits() async throws {
        let (phone, center) = try locked(3)
        phone.device.lockState = .unlocked
        let parts = DeviceParts(phone.settings)
        let queue = try #require(parts.container?.queue)
        let drain = Drain(parts: parts, center: center) { center.emulatedContents["request 0"]?.body == "inside 0" }
        let report = try drain.run(queue)
        #expect(report.rewritten == 1 && report.waiting == 2 && report.isStopped)
        #expect(try await phone.app().drain(center: center).rewritten == 2)
    }

    @Test func stoppedWhileAnImageIsFetchedTheTextIsShown() throws {
        let phone = try FacePhone()
        try phone.provision(accessible: .whenUnlocked)
        phone.device.lockState = .locked
        let sealed = try phone.seal(more: #","image":{"url":"https://img.example/a.jpg"}"#)
        let shown = try Push.show(sealed, on: phone)
        phone.device.lockState = .unlocked
        let (identifier, center) = try waitingRequest(phone, shown)
        let images = HeldImages()
        var settings = phone.settings
        settings.images = { _ in images }
        let parts = DeviceParts(settings)
        let isStopped = Locked(false)
        let queue = try #require(parts.container?.queue)
        let drained = Locked(DrainReport())
        let drain = Drain(parts: parts, center: center) { isStopped.with { $0 } }
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let report = try? drain.run(queue)
            drained.with { $0 = report ?? DrainReport() }
            end.signal()
        }
        images.awaitBeginning()
        isStopped.with { $0 = true }
        end.wait()
        images.release()
        images.awaitEnd()
        #expect(drained.with { $0 }.rewritten == 1 && center.emulatedContents[identifier]?.body == "inside 0")
    }

    @Test func aLockThatIsAnothersIsWaitedForUntilTheSystemStops() async throws {
        let continuationEnds = await withCheckedContinuation { continuation in
            let activity = DrainActivity(continuation)
            activity.stop()
            activity.stop()
            activity.run { () throws(ContainerError) in DrainReport() }
        }
        #expect(try continuationEnds.get().isStopped)
    }

    /// The only request that waits, as the system shows it.
    private func waitingRequest(_ phone: FacePhone, _ shown: UNNotificationContent) throws -> (String, UNUserNotificationCenter) {
        let found = Locked("")
        try GroupContainer(phone.appGroup).queue.drain(now: phone.now) { entry in
            found.with { $0 = entry.identifier }
            return false
        }
        let identifier = found.with { $0 }
        return (
            identifier, UNUserNotificationCenter(emulating: [UNNotificationRequest(identifier: identifier, content: shown, trigger: nil)])
        )
    }
}
