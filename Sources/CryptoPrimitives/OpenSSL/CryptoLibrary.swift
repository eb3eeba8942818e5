import COpenSSL

/// The library behind this module, as it was loaded.
package enum CryptoLibrary {
    /// As "3.0.19"; empty where it does not say.
    package static var version: String { OpenSSL_version(OPENSSL_VERSION_STRING).map { String(cString: $0) } ?? "" }
}
