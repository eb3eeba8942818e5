/// Why a notification goes without its image; the text goes in any case.
public enum ImageFailure: String, Error, Sendable, Equatable, CaseIterable {
    /// An address that is none, or can be read in several ways. This and the next five are also of one that a redirect leads to.
    case address
    /// An address that is not `https`.
    case scheme = "address-scheme"
    /// A user's name in it.
    case user = "address-user"
    /// A port from which images do not come.
    case port = "address-port"
    /// A host that is not on the list of those that are allowed.
    case host = "address-host"
    /// This machine, or a network that is not the Internet, by its name or by the address that a name leads to.
    case network = "address-network"
    /// More redirects than are followed.
    case redirects
    case dns
    case connection
    case tls
    /// The time that was left was not enough.
    case timeout
    /// The server answered with something else than 200 or a redirect.
    case status = "http-status"
    /// No image of a type that is shown, whatever it is called.
    case type
    /// More bytes than are fetched.
    case size
    case hash
    /// A sealed attachment that does not open.
    case seal
    /// It says it is of its type, and is not whole or cannot be decoded.
    case decoding
    /// Nothing that is built in scales images of its type, and it is too large to go as it is.
    case noDecoder = "no-decoder"
    /// Scaling it takes more memory or time than there is, by its header or after all, and it is too large to go as it is.
    case overBudget = "over-budget"
    /// The container, or the file in it, could not be written.
    case storage
}
