import Glibc

/// Tells systemd how the service is (sd_notify(3)); nobody where it was not started by it.
enum ServiceManager {
    static func tell(_ state: String) {
        guard let variable = getenv("NOTIFY_SOCKET") else { return }
        let path = Array(String(cString: variable).utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard (2...MemoryLayout.size(ofValue: address.sun_path)).contains(path.count),
            path[0] == UInt8(ascii: "/") || path[0] == UInt8(ascii: "@")
        else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path)
            // A name without a file.
            if path[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(state.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
