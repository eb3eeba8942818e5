import EnvelopeFormat
import Sealer

/// One place to listen at, and who may call there.
struct ListenerConfiguration: Sendable {
    enum Place: Sendable, Equatable {
        /// A socket's path, its mode, and the number of its group.
        case unix(path: String, mode: UInt32, group: UInt32?)
        case tcp(host: String, port: UInt16)
        /// One that was handed over by systemd, by its name there.
        case inherited(name: String)
    }

    struct TLS: Sendable {
        let certificate: String
        let privateKey: String
        /// Whose client certificates are taken.
        let authority: String?
    }

    let place: Place
    let allowed: [PeerRule]
    let tls: TLS?
    let clients: [CertificateRule]

    /// - Throws: ``FormatError`` naming the member at fault.
    init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(
            json, "listen",
            ["unix", "mode", "group", "tcp", "inherited", "allow", "certificate", "private_key", "client_authority", "clients"])
        place = try Self.place(reader)
        allowed = try Self.list(reader, "allow") { (value) throws(FormatError) in try PeerRule(value) }
        clients = try Self.list(reader, "clients") { (value) throws(FormatError) in try CertificateRule(value) }
        switch (try reader.text("certificate"), try reader.text("private_key")) {
        case (let certificate?, let key?):
            tls = TLS(certificate: certificate, privateKey: key, authority: try reader.text("client_authority"))
        case (nil, nil):
            tls = nil
            guard reader.value("client_authority") == nil else { throw reader.wrong("client_authority", "it goes with a certificate") }
        default: throw reader.wrong("certificate", "it goes with private_key")
        }
        guard (tls?.authority == nil) == clients.isEmpty else { throw reader.wrong("clients", "they go with client_authority") }
    }

    private static func place(_ reader: RequestReader) throws(FormatError) -> Place {
        switch (try reader.text("unix"), try reader.text("tcp"), try reader.text("inherited")) {
        case (let path?, nil, nil):
            guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < 108 else {
                throw reader.wrong("unix", "not an absolute path below 108 bytes")
            }
            let mode = try reader.text("mode") ?? "0660"
            guard let bits = UInt32(mode, radix: 8), bits & ~0o666 == 0, mode.utf8.count <= 4 else {
                throw reader.wrong("mode", "not a mode of a socket, as 0660")
            }
            let group = try reader.integer("group")
            guard group.map({ UInt32(exactly: $0) != nil }) ?? true else { throw reader.wrong("group", "not the number of a group") }
            return .unix(path: path, mode: bits, group: group.flatMap { UInt32(exactly: $0) })
        case (nil, let address?, nil):
            guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")), let port = UInt16(address[address.index(after: colon)...])
            else {
                throw reader.wrong("tcp", "not HOST:PORT, as 127.0.0.1:8700 or [::1]:8700")
            }
            var host = String(address[..<colon])
            if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") { host = String(host.dropFirst().dropLast()) }
            guard !host.isEmpty else { throw reader.wrong("tcp", "no address before the port") }
            return .tcp(host: host, port: port)
        case (nil, nil, let name?): return .inherited(name: name)
        default: throw reader.wrong("unix", "one of unix, tcp and inherited is needed")
        }
    }

    private static func list<Element>(
        _ reader: RequestReader, _ name: String, _ read: (JSONValue) throws(FormatError) -> Element
    ) throws(FormatError) -> [Element] {
        guard let value = reader.value(name) else { return [] }
        guard case .array(let values) = value else { throw reader.wrong(name, "not an array") }
        return try values.map(read)
    }

    /// What is sure before a socket is there: nobody is let in without having to show who he is.
    func check(hasTokens: Bool) throws(FormatError) {
        switch place {
        case .unix:
            guard !allowed.isEmpty else { throw FormatError(field: "listen.allow", reason: "empty: nobody could call over this socket") }
            guard tls == nil else { throw FormatError(field: "listen.certificate", reason: "a Unix socket has no TLS") }
        case .tcp: try checkNetwork(hasTokens: hasTokens)
        case .inherited: break
        }
    }

    /// The same of a socket of the network.
    func checkNetwork(hasTokens: Bool) throws(FormatError) {
        guard allowed.isEmpty else { throw FormatError(field: "listen.allow", reason: "the kernel tells users of Unix sockets alone") }
        guard hasTokens || tls?.authority != nil else {
            throw FormatError(field: "listen.tcp", reason: "neither tokens nor client_authority: anybody could call")
        }
    }

    /// The same for a socket that is there.
    /// - Throws: ``ServiceError`` saying what is wanting.
    func check(_ socket: ListeningSocket, hasTokens: Bool) throws(ServiceError) {
        do throws(FormatError) {
            if socket.isUnix {
                guard !allowed.isEmpty else {
                    throw FormatError(field: "listen.allow", reason: "empty: nobody could call over this socket")
                }
                guard tls == nil else { throw FormatError(field: "listen.certificate", reason: "a Unix socket has no TLS") }
            } else {
                try checkNetwork(hasTokens: hasTokens)
                guard socket.isLocal || tls != nil else {
                    throw FormatError(
                        field: "listen.certificate", reason: "missing: beyond this machine tokens and messages would travel in the clear")
                }
            }
        } catch { throw ServiceError(socket.name, error.description) }
    }

    /// What is shown of the service, and whose clients are taken; nil without TLS.
    func certificates() throws(ServiceError) -> TLSCertificates? {
        guard let tls else { return nil }
        return TLSCertificates(
            certificate: try ConfigurationFile.read(tls.certificate), privateKey: try ConfigurationFile.read(tls.privateKey, .secret),
            authority: try tls.authority.map { (path) throws(ServiceError) in try ConfigurationFile.read(path) })
    }
}
