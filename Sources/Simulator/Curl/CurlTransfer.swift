internal import CCurl
internal import Glibc
import OpenerNSE

/// One request and its answer.
final class CurlTransfer {
    private let policy: AddressPolicy
    private let byteLimit: Int
    private let isWanted: () -> Bool
    private let body: ([UInt8]) -> Bool
    private let handle = curl_easy_init()
    /// What was found here, which says more than what libcurl makes of being stopped.
    private var failure: ImageFailure?
    /// Whether the receiver had enough.
    private var isStopped = false
    private var byteCount = 0

    init(policy: AddressPolicy, byteLimit: Int, isWanted: @escaping () -> Bool, body: @escaping ([UInt8]) -> Bool) {
        self.policy = policy
        self.byteLimit = byteLimit
        self.isWanted = isWanted
        self.body = body
    }

    deinit { curl_easy_cleanup(handle) }

    /// - Returns: where a redirect leads; nil when the bytes were handed over.
    func run(_ url: String, _ authorities: String?, _ left: Duration) throws(ImageFailure) -> String? {
        try prepare(url, authorities, left)
        let code = curl_easy_perform(handle)
        if let failure { throw failure }
        if isStopped { return nil }
        guard code == CURLE_OK else { throw Self.failure(code) }
        if let next = text(CURLINFO_REDIRECT_URL) { return next }
        guard status == 200 else { throw .status }
        return nil
    }

    private func prepare(_ url: String, _ authorities: String?, _ left: Duration) throws(ImageFailure) {
        let (seconds, attoseconds) = left.components
        let milliseconds = max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
        let own = Unmanaged.passUnretained(self).toOpaque()
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, url), (CURLOPT_PROTOCOLS_STR, "https"), (CURLOPT_REDIR_PROTOCOLS_STR, "https"),
            // Of the environment nothing is taken.
            (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),
        ]
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_TIMEOUT_MS, milliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_NOPROGRESS, 0), (CURLOPT_NETRC, 0),
            (CURLOPT_HTTPGET, 1), (CURLOPT_DNS_CACHE_TIMEOUT, 0), (CURLOPT_FRESH_CONNECT, 1),
        ]
        var codes: [CURLcode] = []
        for (option, value) in texts { codes.append(waxwing_curl_set_text(handle, option, value)) }
        for (option, value) in numbers { codes.append(waxwing_curl_set_long(handle, option, value)) }
        if let authorities { codes.append(waxwing_curl_set_text(handle, CURLOPT_CAINFO, authorities)) }
        codes.append(waxwing_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(byteLimit)))
        for option in [CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA] {
            codes.append(waxwing_curl_set_pointer(handle, option, own))
        }
        codes.append(
            waxwing_curl_set_write(handle) { bytes, size, count, context in
                guard let context else { return 0 }
                return CurlTransfer.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        codes.append(
            waxwing_curl_set_progress(handle) { context, _, _, _, _ in
                guard let context else { return 1 }
                return CurlTransfer.of(context).goesOn() ? 0 : 1
            })
        codes.append(
            waxwing_curl_set_open(handle) { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return CurlTransfer.of(context).connect(to: address)
            })
        guard handle != nil, codes.allSatisfy({ $0 == CURLE_OK }) else { throw .connection }
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// The next bytes; how many were taken, fewer than there are to end it.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        // What a redirect or an error says beside is nobody's.
        if (300..<400).contains(status) { return bytes.count }
        guard status == 200 else { return stop(.status) }
        byteCount += bytes.count
        guard byteCount <= byteLimit else { return stop(.size) }
        guard body(Array(bytes)) else {
            isStopped = true
            return 0
        }
        return bytes.count
    }

    private func goesOn() -> Bool {
        guard !isWanted() else { return true }
        _ = stop(.timeout)
        return false
    }

    /// A socket for an address that a name led to, if it may be connected to.
    private func connect(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard policy.allows(resolved: Self.bytes(of: address)) else {
            _ = stop(.network)
            return CURL_SOCKET_BAD
        }
        return waxwing_curl_socket(address)
    }

    /// The 4 or 16 bytes of an address. Behind the plain `sockaddr` that libcurl declares is room for the longer ones.
    private static func bytes(of address: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8] {
        let place: (start: Int, count: Int)
        switch address.pointee.family {
        // After family and port, and of IPv6 the flow.
        case AF_INET: place = (4, 4)
        case AF_INET6: place = (8, 16)
        default: return []
        }
        guard Int(address.pointee.addrlen) >= place.start + place.count,
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
        else { return [] }
        let start = UnsafeRawPointer(address).advanced(by: offset + place.start)
        return Array(UnsafeRawBufferPointer(start: start, count: place.count))
    }

    private func stop(_ failure: ImageFailure) -> Int {
        if self.failure == nil { self.failure = failure }
        return 0
    }

    private var status: Int {
        var value = 0
        return waxwing_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &value) == CURLE_OK ? value : 0
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard waxwing_curl_get_text(handle, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    private static func failure(_ code: CURLcode) -> ImageFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dns
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tls
        case CURLE_FILESIZE_EXCEEDED: .size
        case CURLE_UNSUPPORTED_PROTOCOL: .scheme
        case CURLE_URL_MALFORMAT: .address
        default: .connection
        }
    }
}
