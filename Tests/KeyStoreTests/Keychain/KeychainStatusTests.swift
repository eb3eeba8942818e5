import Testing

@testable import KeyStore

@Suite struct KeychainStatusTests {
    /// Numbers and names as in Apple's `SecBase.h`.
    @Test(
        arguments: [
            (0, "errSecSuccess"), (-34, "errSecDiskFull"), (-36, "errSecIO"), (-49, "errSecOpWr"), (-50, "errSecParam"),
            (-61, "errSecWrPerm"), (-25291, "errSecNotAvailable"), (-25293, "errSecAuthFailed"),
            (-25299, "errSecDuplicateItem"), (-25300, "errSecItemNotFound"), (-25308, "errSecInteractionNotAllowed"),
            (-26275, "errSecDecode"), (-34018, "errSecMissingEntitlement"),
        ] as [(Int32, String)])
    func codesAreApples(code: Int32, name: String) throws {
        let status = try #require(KeychainStatus(rawValue: code))
        #expect(status.name == name && "\(status)" == "\(code) \(name)")
        #expect(KeychainStatus.allCases.count == 13)
    }

    @Test(
        arguments: [
            (.notFound, -25300), (.alreadyExists, -25299), (.conflict, -25299), (.locked, -25308),
            (.authenticationFailed, -25293), (.refused, -25293), (.damaged, -26275), (.permission, -34018),
            (.badInput, -50), (.full, -34), (.readOnly, -61), (.cannotCreate, -61), (.inputOutput, -36), (.busy, -49),
            (.unavailable, -25291), (.wrongRole, -25291), (.schemaFromTheFuture, -25291),
        ] as [(KeyStoreError.Kind, Int32)])
    func everyFailureHasACode(kind: KeyStoreError.Kind, code: Int32) {
        #expect(KeyStoreError(kind, "thing", "reason").keychainStatus.rawValue == code)
        #expect(KeyStoreError.Kind.allCases.count == 17)
    }
}
