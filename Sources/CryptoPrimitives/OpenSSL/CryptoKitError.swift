/// The errors of the types that are not HPKE's own.
public enum CryptoKitError: Error, Equatable, Hashable {
    /// A key of the wrong length, in bits.
    case incorrectKeySize
    /// A nonce, tag, point, scalar, box or output of the wrong length, in bytes.
    case incorrectParameterSize
    /// The tag does not fit what it authenticates; nothing more is said.
    case authenticationFailure
    /// OpenSSL refused, with its reason code.
    case underlyingCoreCryptoError(error: Int32)
    /// A key could not be wrapped.
    case wrapFailure
    /// A key could not be unwrapped.
    case unwrapFailure
    /// A value of the right length that is not allowed: a point that is not on the curve, a scalar out of range.
    case invalidParameter
}
