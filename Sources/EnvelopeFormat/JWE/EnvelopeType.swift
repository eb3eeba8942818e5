/// The `typ` of a protected header (RFC 8725 section 3.11): what is sealed.
package enum EnvelopeType: String {
    /// A message.
    case message = "wax1"
    /// A provisioning bundle.
    case bundle = "wax1-key"
}
