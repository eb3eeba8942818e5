import OpenerNSE

/// What is said of an image that phones will not fetch, while another address can still be given.
enum ImageWarning {
    /// More bytes than are left of a push for an address, whatever else is in it.
    private static let longestByteCount = 2_700

    static func warn(of url: String, _ invocation: Invocation) {
        if let reason = reason(url) { invocation.note("warning: phones will not fetch the image: \(reason)") }
        guard url.utf8.count > longestByteCount else { return }
        invocation.note("warning: the image's address has \(url.utf8.count) bytes, and fits no push")
    }

    private static func reason(_ url: String) -> String? {
        do throws(ImageFailure) { _ = try AddressPolicy().check(url) } catch {
            return switch error {
            case .user: "there is a user's name in its address"
            case .port: "its port is none but for an app that allows it; the usual one is 443"
            case .network: "its host is of this machine or of a private network"
            default: "its address can be read in several ways"
            }
        }
        return nil
    }
}
