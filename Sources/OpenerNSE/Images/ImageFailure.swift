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
    /// More bytes than are fetched, or more pixels than can be decoded and more bytes than are attached as they are.
    case size
    case hash
    /// A sealed attachment that does not open.
    case seal
    /// It says it is of its type, and cannot be decoded.
    case decoding
    /// There is nothing here that could scale it, and it is too large to go as it is.
    case unscaled
    /// The container, or the file in it, could not be written.
    case storage
}
