import FoundationEssentials

/// DHKEM(P-256, HKDF-SHA256) (RFC 9180 4.1).
struct HPKEKEM {
    let ciphersuite: HPKE.Ciphersuite

    /// Encap(pkR) with the ephemeral key given: the shared secret, 32 bytes. The encapsulated key is the ephemeral public key.
    func encapsulate(
        to recipient: P256.KeyAgreement.PublicKey, ephemeral: P256.KeyAgreement.PrivateKey
    ) throws(CryptoKitError) -> SecretBytes {
        try extractAndExpand(
            agreed: ephemeral.key.sharedSecret(with: recipient.key),
            encapsulatedKey: ephemeral.publicKey.x963Representation,
            recipientPoint: recipient.x963Representation)
    }

    /// Decap(enc, skR): the shared secret, 32 bytes; an encapsulated key is judged as every point is.
    func decapsulate(
        _ encapsulatedKey: Data, with recipient: P256.KeyAgreement.PrivateKey
    ) throws(CryptoKitError) -> SecretBytes {
        let ephemeral = try ECKey.publicKey(x963Representation: encapsulatedKey)
        return try extractAndExpand(
            agreed: recipient.key.sharedSecret(with: ephemeral), encapsulatedKey: encapsulatedKey,
            recipientPoint: recipient.publicKey.x963Representation)
    }

    /// ExtractAndExpand(dh, kem_context).
    private func extractAndExpand(
        agreed: SecretBytes, encapsulatedKey: Data, recipientPoint: Data
    ) throws(CryptoKitError) -> SecretBytes {
        let labels = HPKELabels(suiteIdentifier: ciphersuite.kemIdentifier)
        let extracted = try agreed.withUnsafeBytes { (bytes) throws(CryptoKitError) in
            try labels.extract(salt: nil, label: "eae_prk", bytes)
        }
        return try labels.expand(
            extracted, label: "shared_secret", info: encapsulatedKey + recipientPoint,
            outputByteCount: DigestContext.digestByteCount)
    }
}
