import CryptoPrimitives
import EnvelopeFormat
internal import Glibc

/// One end of the socket between the simulator and its extension process. Used by one thread at a time.
///
/// A message is four lengths of 4 bytes, big endian, of JSON, secrets (32 bytes each) and bytes, and then these.
public final class MessageChannel: @unchecked Sendable {
    private static let longest = 1 << 24
    private let descriptor: Int32

    /// Takes the descriptor over.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether there is something to receive, the end too, within so many milliseconds.
    public func isReadable(within milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, milliseconds) > 0
    }

    /// Has a receive that waits longer than that fail.
    public func setPatience(seconds: Int) throws(ChannelError) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        guard setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
            throw .system(operation: "setsockopt", code: errno)
        }
    }

    public func send(_ message: ChannelMessage) throws(ChannelError) {
        let json = message.json.write()
        var head: [UInt8] = []
        for count in [json.count, message.secrets.count, message.bytes.count] {
            for shift in [24, 16, 8, 0] { head.append(UInt8(truncatingIfNeeded: count >> shift)) }
        }
        try write(head)
        try write(json)
        for secret in message.secrets {
            guard secret.bitCount == 256 else { throw .malformed("key of 32 bytes") }
            let failure: ChannelError? = secret.withUnsafeBytes { bytes in
                do throws(ChannelError) { try write(bytes) } catch { return error }
                return nil
            }
            if let failure { throw failure }
        }
        try write(message.bytes)
    }

    /// - Throws: ``ChannelError/closed`` when the other end is gone.
    public func receive() throws(ChannelError) -> ChannelMessage {
        let head = try read(12)
        let counts = stride(from: 0, to: 12, by: 4).map { at in
            head[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard counts.allSatisfy({ $0 <= Self.longest }), counts[1] <= 4_096 else { throw .malformed("message") }
        guard let json = try? JSONValue.parse(try read(counts[0])) else { throw .malformed("message") }
        var secrets: [SymmetricKey] = []
        for _ in 0..<counts[1] {
            var bytes = try read(32)
            secrets.append(SymmetricKey(data: bytes))
            wipe(&bytes)
        }
        return ChannelMessage(json, secrets: secrets, bytes: try read(counts[2]))
    }

    /// Sends and waits for what comes back.
    public func ask(_ message: ChannelMessage) throws(ChannelError) -> ChannelMessage {
        try send(message)
        return try receive()
    }

    private func write(_ bytes: [UInt8]) throws(ChannelError) {
        let failure: ChannelError? = bytes.withUnsafeBytes { buffer in
            do throws(ChannelError) { try write(buffer) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private func write(_ buffer: UnsafeRawBufferPointer) throws(ChannelError) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = Glibc.send(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(operation: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func read(_ count: Int) throws(ChannelError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, 0) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw errno == ECONNRESET ? .closed : .system(operation: "recv", code: errno) }
            guard got > 0 else { throw .closed }
            filled += got
        }
        return bytes
    }
}
