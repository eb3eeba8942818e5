import FoundationEssentials

/// A preshared key and its name, as VerifyPSKInputs wants them (RFC 9180 5.1, 9.5).
struct HPKEPresharedKey {
    let key: SymmetricKey
    let identifier: Data

    /// `expectedPSK` with neither, `inconsistentPSKInputs` with one of the two, `inconsistentParameters` under 32 bytes.
    init(key: SymmetricKey, identifier: Data) throws {
        switch (key.bitCount > 0, !identifier.isEmpty) {
        case (false, false): throw HPKE.Errors.expectedPSK
        case (true, false), (false, true): throw HPKE.Errors.inconsistentPSKInputs
        case (true, true): break
        }
        guard key.bitCount >= 256 else { throw HPKE.Errors.inconsistentParameters }
        self.key = key
        self.identifier = identifier
    }
}
