internal import Dispatch
import EnvelopeFormat
import ExtensionChannel
import OpenerNSE

/// Fetches for an extension's process, on a thread of its own, until that hangs up.
final class FetchService: Sendable {
    private let fetcher: any ImageFetching
    private let policy: AddressPolicy
    private let timeScale: Int

    init(_ fetcher: any ImageFetching, _ policy: AddressPolicy, timeScale: Int) {
        self.fetcher = fetcher
        self.policy = policy
        self.timeScale = timeScale
    }

    func serve(_ channel: MessageChannel) {
        DispatchQueue.global().async { [self] in
            while let message = try? channel.receive() {
                do { try fetch(message, channel) } catch { return }
            }
        }
    }

    private func fetch(_ message: ChannelMessage, _ channel: MessageChannel) throws {
        var failure: ImageFailure?
        do throws(ImageFailure) { try fetched(message, channel) } catch { failure = error }
        // Told to stop while the last piece was on its way, it has been said.
        while channel.isReadable(within: 0) { guard try channel.receive().name == "stop" else { return } }
        try channel.send(ChannelMessage("fetched", failure.map { [JSONMember("failure", .string($0.rawValue))] } ?? []))
    }

    private func fetched(_ message: ChannelMessage, _ channel: MessageChannel) throws(ImageFailure) {
        let order: FetchOrder
        do { order = try FetchOrder(message, policy: policy) } catch { throw (error as? ImageFailure) ?? .address }
        let asked = order.request
        let request = ImageRequest(
            address: asked.address, policy: policy, byteLimit: asked.byteLimit, budget: asked.budget / timeScale)
        try fetcher.fetch(request, isWanted: { !channel.isReadable(within: 0) }) { bytes in
            (try? channel.send(ChannelMessage("piece", bytes: bytes))) != nil && !channel.isReadable(within: 0)
        }
    }
}
