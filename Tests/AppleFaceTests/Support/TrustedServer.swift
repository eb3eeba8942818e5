import CSessionTrust
import TestSupport

/// The image server whose authority URLSession trusts in this process, for all tests together.
enum TrustedServer {
    static let shared: Result<ImageServer, any Error> = Result {
        let server = try ImageServer()
        session_trust(server.authorities)
        return server
    }
}
