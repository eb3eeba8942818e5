import BenchmarkSupport
import COpenSSL
import CryptoPrimitives
import EnvelopeFormat

/// The least that sealing can cost: 12 bytes of IV from the pool, AES-256-GCM with a kept key, base64url into a fresh array.
final class BareSeal {
    private let context = EVP_CIPHER_CTX_new()
    private let plaintext: [UInt8]
    private var sealed: [UInt8]
    private let header: [UInt8]
    private var sink = 0

    init(plaintextByteCount: Int, header: [UInt8]) {
        plaintext = [UInt8](repeating: 0x41, count: plaintextByteCount)
        sealed = [UInt8](repeating: 0, count: plaintextByteCount + 16)
        self.header = header
        let key = [UInt8](repeating: 7, count: 32)
        guard EVP_EncryptInit_ex2(context, EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), key, nil, nil) == 1 else {
            fatal("EVP_EncryptInit_ex2")
        }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func seal() throws {
        var nonce: (UInt64, UInt32) = (0, 0)
        try withUnsafeMutableBytes(of: &nonce) { nonce in
            let nonce = UnsafeMutableRawBufferPointer(rebasing: nonce[..<12])
            try RandomPool.fill(nonce)
            var length: Int32 = 0
            let iv = nonce.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard EVP_EncryptInit_ex2(context, nil, nil, iv, nil) == 1,
                EVP_EncryptUpdate(context, nil, &length, header, Int32(header.count)) == 1,
                EVP_EncryptUpdate(context, &sealed, &length, plaintext, Int32(plaintext.count)) == 1,
                EVP_EncryptFinal_ex(context, &sealed, &length) == 1
            else { fatal("EVP_Encrypt") }
            sealed.withUnsafeMutableBytes { sealed in
                let tag = sealed.baseAddress.map { $0 + plaintext.count }
                guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1 else { fatal("the tag") }
            }
        }
        let count = Base64URL.encodedCount(sealed.count)
        let text = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            sealed.withUnsafeBytes { bytes in
                if let start = output.baseAddress { Base64URL.encode(bytes, into: start) }
            }
            filled = count
        }
        sink &+= Int(text[count - 1])
    }
}
