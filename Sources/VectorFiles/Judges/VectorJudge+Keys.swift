import CryptoPrimitives
package import EnvelopeFormat

extension VectorJudge {
    /// A key agreement on P-256.
    /// - Parameters:
    ///   - scalar: with leading zeros or without.
    ///   - result: `valid`, `invalid`, or `acceptable`, which may be refused and not answered wrong.
    package static func agreement(private scalar: [UInt8], point: [UInt8], shared: [UInt8], result: String) -> VectorOutcome {
        let digits = scalar.drop { $0 == 0 }
        let padded = [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
        do {
            let mine = try P256.KeyAgreement.PrivateKey(rawRepresentation: padded)
            let peer = try P256.KeyAgreement.PublicKey(x963Representation: point)
            let agreed = try mine.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes { [UInt8]($0) }
            if result == "invalid" { return .failed("agreed, and must be refused") }
            return agreed == shared ? .passed : .failed("another shared secret")
        } catch {
            return result == "valid" ? .failed("refused: \(error)") : .refused
        }
    }

    /// HKDF with SHA-256: the pseudorandom key where it is given, and the output; a length that there is no output of is refused.
    package static func hkdf(
        ikm: [UInt8], salt: [UInt8], info: [UInt8], size: Int, prk: [UInt8]? = nil, okm: [UInt8]?
    ) throws -> VectorOutcome {
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: ikm), salt: salt)
        if let prk, [UInt8](extracted) != prk { return .failed("another pseudorandom key") }
        do {
            let output = try HKDF<SHA256>.expansion(pseudoRandomKey: extracted, info: info, outputByteCount: size)
            guard let okm else { return .failed("derived, and must be refused") }
            return output.bytes == okm ? .passed : .failed("another key")
        } catch CryptoKitError.incorrectParameterSize {
            return okm == nil ? .refused : .failed("a length of \(size) bytes was refused")
        }
    }

    /// SHA-256.
    static func sha256(_ message: [UInt8], _ digest: [UInt8]) -> VectorOutcome {
        Array(SHA256.hash(data: message)) == digest ? .passed : .failed("another digest")
    }

    /// HMAC with SHA-256; a code that was cut is never valid to us, whatever it begins with, and its beginning is compared.
    /// - Parameter byteCount: how long the file says that its codes are, 1 to 32.
    /// - Throws: ``FormatError`` when this one is of another length.
    package static func hmac(
        key: [UInt8], message: [UInt8], tag: [UInt8], byteCount: Int, isValid: Bool
    ) throws(FormatError) -> VectorOutcome {
        guard (1...32).contains(byteCount), tag.count == byteCount else {
            throw FormatError(field: "tag", reason: "\(tag.count) bytes, where there must be \(byteCount), and at least 1")
        }
        let key = SymmetricKey(data: key)
        let matches = [UInt8](HMAC<SHA256>.authenticationCode(for: message, using: key)).starts(with: tag)
        let judged = HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: message, using: key)
        guard judged == (matches && tag.count == 32), matches == isValid else { return .failed("another code") }
        return isValid ? .passed : .refused
    }
}
