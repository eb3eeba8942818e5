import Foundation
import TestSupport

@testable import CryptoPrimitives

/// One judgement per primitive; readers of files are in TestSupport.
enum VectorJudge {
    struct Sealed {
        var key, nonce, authenticated, ciphertext, tag: [UInt8]
        /// Nil where the case must be refused.
        var message: [UInt8]?
    }

    static func aesGCM(_ sealed: Sealed) throws -> VectorOutcome {
        let key = SymmetricKey(data: sealed.key)
        guard let nonce = try? AES.GCM.Nonce(data: sealed.nonce) else {
            if sealed.nonce.count == 12 { return .failed("nonce refused") }
            return .notApplicable("nonce of \(sealed.nonce.count * 8) bits, refused: 96 only")
        }
        guard let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.ciphertext, tag: sealed.tag) else {
            if sealed.tag.count == 16 { return .failed("tag refused") }
            return .notApplicable("tag of \(sealed.tag.count * 8) bits, refused: 128 only")
        }
        do {
            let opened = try AES.GCM.open(box, using: key, authenticating: sealed.authenticated)
            guard let message = sealed.message else { return .failed("opened") }
            guard [UInt8](opened) == message else { return .failed("another message") }
            let again = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: sealed.authenticated)
            guard [UInt8](again.ciphertext) == sealed.ciphertext, [UInt8](again.tag) == sealed.tag else {
                return .failed("sealed to other bytes")
            }
            return .passed
        } catch CryptoKitError.authenticationFailure {
            return sealed.message == nil ? .refused : .failed("refused")
        } catch CryptoKitError.incorrectKeySize where sealed.key.count != 32 {
            return .notApplicable("key of \(sealed.key.count * 8) bits, refused: 256 only")
        }
    }

    /// `result` as Wycheproof has it; `point` nil where the encoding holds no uncompressed P-256 point.
    static func agreement(private scalar: [UInt8], point: [UInt8], shared: [UInt8], result: String) -> VectorOutcome {
        // A scalar is given as a signed integer, with a leading zero or less than 32 bytes now and then.
        let digits = scalar.drop { $0 == 0 }
        let padded = [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
        do {
            let mine = try P256.KeyAgreement.PrivateKey(rawRepresentation: padded)
            let peer = try P256.KeyAgreement.PublicKey(x963Representation: point)
            let agreed = try mine.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes { [UInt8]($0) }
            if result == "invalid" { return .failed("agreed") }
            return agreed == shared ? .passed : .failed("another secret")
        } catch {
            return result == "valid" ? .failed("refused: \(error)") : .refused
        }
    }

    static func hkdf(ikm: [UInt8], salt: [UInt8], info: [UInt8], size: Int, okm: [UInt8]?) throws -> VectorOutcome {
        let key = SymmetricKey(data: ikm)
        guard HKDFExpansion.outputByteCounts.contains(size) else {
            // The public call traps; what it stands on refuses.
            let expansion = Result {
                try HKDFExpansion.expand(HMACContext(key: .empty), outputByteCount: size) { _ in }
            }
            guard case .failure(let error) = expansion else { return .failed("expanded") }
            return okm == nil && error as? CryptoKitError == .incorrectParameterSize ? .refused : .failed("\(error)")
        }
        let derived = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: info, outputByteCount: size)
        let output = derived.withUnsafeBytes { [UInt8]($0) }
        return output == okm ? .passed : .failed("another key")
    }

    static func hmac(key: [UInt8], message: [UInt8], tag: [UInt8], isValid: Bool) -> VectorOutcome {
        let key = SymmetricKey(data: key)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        let matches = [UInt8](code).starts(with: tag)
        let judged = HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: message, using: key)
        // A code that was cut is never valid to the API, whatever it starts with.
        guard judged == (matches && tag.count == 32), matches == isValid else { return .failed("another code") }
        return isValid ? .passed : .refused
    }

    static func hpke(_ vector: HPKEVector) throws -> VectorOutcome {
        guard vector.kemId == 0x0010 else { return .notApplicable("KEM \(vector.kemId), not in our suite") }
        guard vector.aeadId == 0x0002 else { return .notApplicable("AEAD \(vector.aeadId), not in our suite") }
        guard vector.mode < 2 else { return .notApplicable("mode \(vector.mode), with a sender's key: not offered") }
        var run = try HPKEVectorRun(vector)
        return try run.failure().map { .failed($0) } ?? .passed
    }
}
