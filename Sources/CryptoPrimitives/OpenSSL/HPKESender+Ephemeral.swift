package import FoundationEssentials

// A sender whose ephemeral key is given: for known answers and test support alone. Nothing portable names it.
extension HPKE.Sender {
    /// SetupBaseS (RFC 9180 5.1.1) with the ephemeral key given.
    package init(
        recipientKey: P256.KeyAgreement.PublicKey, ciphersuite: HPKE.Ciphersuite, info: Data,
        ephemeralKey: P256.KeyAgreement.PrivateKey
    ) throws {
        try self.init(
            recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, presharedKey: nil,
            ephemeralKey: ephemeralKey)
    }

    /// SetupPSKS (RFC 9180 5.1.2) with the ephemeral key given.
    package init(
        recipientKey: P256.KeyAgreement.PublicKey, ciphersuite: HPKE.Ciphersuite, info: Data,
        presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data,
        ephemeralKey: P256.KeyAgreement.PrivateKey
    ) throws {
        try self.init(
            recipientKey: recipientKey, ciphersuite: ciphersuite, info: info,
            presharedKey: HPKEPresharedKey(key: psk, identifier: pskID), ephemeralKey: ephemeralKey)
    }
}
