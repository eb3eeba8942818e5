/// Why a notification goes without its image; the text goes in any case.
public enum ImageFailure: String, Error, Sendable, Equatable, CaseIterable {
    /// An address that is not `https`, or a host that is not allowed: on no list, private, or this machine.
    case address
    case dns
    case connection
    case tls
    /// The time that was left was not enough.
    case timeout
    /// The server answered with something else than 200.
    case status = "http-status"
    /// No image of a type that is shown, whatever it is called.
    case type
    /// More bytes than are fetched.
    case size
    case hash
    /// A sealed attachment that does not open.
    case seal
    /// It says it is of its type, and cannot be decoded.
    case decoding
    /// Nothing that is built in scales images of its type, and it is too large to go as it is.
    case noDecoder = "no-decoder"
    /// Scaling it takes more memory or time than there is, by its header or after all, and it is too large to go as it is.
    case overBudget = "over-budget"
    /// The container, or the file in it, could not be written.
    case storage
}
