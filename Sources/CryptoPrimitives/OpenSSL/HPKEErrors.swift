extension HPKE {
    /// The errors of HPKE's own.
    public enum Errors: Error {
        /// Parameters that do not fit each other or the standard: a preshared key under 32 bytes (RFC 9180 9.5).
        case inconsistentParameters
        /// A key that is not of the suite's kind.
        case inconsistentCiphersuiteAndKey
        /// A context that only exports was asked to seal or open.
        case exportOnlyMode
        /// A preshared key without an identifier, or an identifier without a key (RFC 9180 5.1).
        case inconsistentPSKInputs
        /// Mode PSK with neither preshared key nor identifier.
        case expectedPSK
        /// A preshared key in mode base.
        case unexpectedPSK
        /// The context has sealed or opened as many messages as it may (RFC 9180 5.2).
        case outOfRangeSequenceNumber
        /// A ciphertext shorter than its tag of 16 bytes.
        case ciphertextTooShort
    }
}
