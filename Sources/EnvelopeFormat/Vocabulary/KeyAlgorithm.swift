/// What a conversation secret is for; a secret opens and seals under this one alone (RFC 8725 section 3.1).
public enum KeyAlgorithm: String, Sendable, CaseIterable {
    /// One sealed payload for all devices: JWE `dir` with `A256GCM` (RFC 7518 section 4.5).
    case dir
    /// One sealed payload for each device: JWE `HPKE-7` in PSK mode.
    case hpke7 = "HPKE-7"
    /// Three separate fields for extensions already in the field; a key of its own, no JWE.
    case split
}
