internal import CGnuTLS

/// The client certificate of a connection. libmicrohttpd asks for one and looks at nothing: a client without one, or with one that
/// nobody signed, is served like any other unless it is looked at here.
enum PeerCertificate {
    /// The common name of a certificate that an authority of ours signed and that is of today; nil for any other, and for none.
    static func name(of session: UnsafeMutableRawPointer?) -> String? {
        guard let session else { return nil }
        let handle = OpaquePointer(session)
        var status: UInt32 = .max
        guard gnutls_certificate_verify_peers2(handle, &status) == GNUTLS_E_SUCCESS, status == 0 else { return nil }
        var count: UInt32 = 0
        guard let chain = gnutls_certificate_get_peers(handle, &count), count > 0 else { return nil }
        var certificate: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&certificate) == GNUTLS_E_SUCCESS, let certificate else { return nil }
        defer { gnutls_x509_crt_deinit(certificate) }
        guard gnutls_x509_crt_import(certificate, chain, GNUTLS_X509_FMT_DER) == GNUTLS_E_SUCCESS else { return nil }
        var name = [UInt8](repeating: 0, count: 256)
        var length = name.count
        guard gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0, &name, &length) == GNUTLS_E_SUCCESS else {
            return nil
        }
        return String(validating: name.prefix(length), as: UTF8.self)
    }
}
