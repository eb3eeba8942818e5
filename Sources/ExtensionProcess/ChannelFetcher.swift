import EnvelopeFormat
import ExtensionChannel
import OpenerNSE
import Synchronization

/// Fetches over a channel of its own, from the simulator, which has the network. One image at a time.
final class ChannelFetcher: ImageFetching {
    private let channel: Mutex<MessageChannel>

    init(_ channel: MessageChannel) { self.channel = Mutex(channel) }

    func fetch(
        _ request: ImageRequest, isWanted: @Sendable () -> Bool, into body: ([UInt8]) -> Bool
    ) throws(ImageFailure) {
        try channel.withLock { channel throws(ImageFailure) in
            do {
                try channel.send(FetchOrder(request).message)
                try receive(from: channel, isWanted, body)
            } catch let failure as ImageFailure { throw failure } catch { throw .connection }
        }
    }

    private func receive(
        from channel: MessageChannel, _ isWanted: () -> Bool, _ body: ([UInt8]) -> Bool
    ) throws {
        var isStopped = false
        // What was under way when it was told to stop is passed over.
        while true {
            if !isStopped, !isWanted() {
                isStopped = true
                try channel.send(ChannelMessage("stop"))
            }
            guard channel.isReadable(within: 50) else { continue }
            let message = try channel.receive()
            switch message.name {
            case "piece":
                guard !isStopped, !body(message.bytes) else { continue }
                isStopped = true
                try channel.send(ChannelMessage("stop"))
            case "fetched":
                if !isStopped, let failure = message.json["failure"]?.text {
                    throw ImageFailure(rawValue: failure) ?? .connection
                }
                return
            default: throw ChannelError.malformed("answer")
            }
        }
    }
}
