import Foundation
import Glibc

/// A connection to a service, written byte by byte, so that what no library would send can be sent.
final class HTTPClient {
    enum Address {
        case unix(String)
        case tcp(UInt16)
    }

    private let descriptor: Int32
    private var read: [UInt8] = []

    init(_ address: Address, timeout seconds: Int = 60) throws {
        switch address {
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
            try Self.connect(descriptor, &name)
        case .tcp(let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try Self.connect(descriptor, &name)
        }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size)) }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    func sendHead(_ method: String, _ path: String, _ headers: [String] = [], bodyCount: Int? = nil) {
        let length = bodyCount.map { ["Content-Type: application/json", "Content-Length: \($0)"] } ?? []
        send((["\(method) \(path) HTTP/1.1", "Host: x"] + headers + length).joined(separator: "\r\n") + "\r\n\r\n")
    }

    func ask(_ method: String, _ path: String, _ body: String? = nil, headers: [String] = []) throws -> HTTPReply {
        let bytes = body.map { Array($0.utf8) }
        sendHead(method, path, headers, bodyCount: bytes?.count)
        if let bytes { send(bytes) }
        return try reply(hasBody: method != "HEAD")
    }

    /// The next answer; throws where the connection ends before it is whole.
    func reply(hasBody: Bool = true) throws -> HTTPReply {
        while true {
            if let reply = HTTPReply(taking: &read, hasBody: hasBody) { return reply }
            guard try receive() else { throw POSIXError(.ECONNRESET) }
        }
    }

    /// Whether the other end closed, with nothing more to be read.
    func isClosed() throws -> Bool { try !receive() }

    private func receive() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0, errno == EAGAIN { throw POSIXError(.ETIMEDOUT) }
        guard count > 0 else { return false }
        read += piece[..<count]
        return true
    }
}
