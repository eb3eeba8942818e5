import EnvelopeFormat
import KeyStore
import Synchronization

/// Who is let in at one listener: by the kernel's word of who connected, by a client certificate, or by a token.
struct Admission: Sendable {
    private static let scheme = "Bearer "

    /// What there is of them; another list takes its place while the service runs.
    final class Tokens: Sendable {
        private let list: Mutex<TokenList>

        init(_ list: TokenList) { self.list = Mutex(list) }

        var current: TokenList {
            get { list.withLock { $0 } }
            set { list.withLock { $0 = newValue } }
        }
    }

    let isUnix: Bool
    let allowed: [PeerRule]
    let clients: [CertificateRule]
    let tokens: Tokens

    func caller(_ head: HTTPHead) -> Result<Caller, Problem> {
        if isUnix { return callerOfUnix(head.connection) }
        if let name = head.connection.clientName.withLock({ $0 }) {
            if let rule = clients.first(where: { $0.name.isSame(as: name) }) {
                return .success(Caller(name: "client \(rule.name)", scopes: rule.scopes))
            }
            if head.authorization == nil {
                return .failure(Problem(.forbidden, nil, "this client certificate is not among those that may call"))
            }
        }
        guard let authorization = head.authorization else {
            return .failure(Problem(.unauthenticated, "Authorization", "neither a token nor a client certificate"))
        }
        guard authorization.utf8.count <= 1_024, authorization.utf8.starts(with: Self.scheme.utf8),
            let caller = tokens.current.caller(presenting: String(authorization.dropFirst(Self.scheme.count)))
        else { return .failure(Problem(.unauthenticated, "Authorization", "no token that is known")) }
        return .success(caller)
    }

    private func callerOfUnix(_ connection: HTTPConnection) -> Result<Caller, Problem> {
        guard let peer = connection.peer else { return .failure(Problem(.forbidden, nil, "the system does not say who called")) }
        let scopes = allowed.filter { $0.admits(peer) }.reduce(into: Set<Scope>()) { $0.formUnion($1.scopes) }
        guard !scopes.isEmpty else { return .failure(Problem(.forbidden, nil, "uid \(peer.uid) is not among those who may call")) }
        return .success(Caller(name: "uid \(peer.uid)", scopes: scopes))
    }
}
