import Foundation
import Testing

@testable import CryptoPrimitives

@Suite struct P256Tests {
    typealias PublicKey = P256.KeyAgreement.PublicKey
    typealias PrivateKey = P256.KeyAgreement.PrivateKey
    let own: OwnVectors

    init() throws {
        own = try OwnVectors.read()
    }

    @Test func onlyUncompressedPointsOnTheCurveAreTaken() throws {
        #expect(own.points.count == 19)
        for test in own.points {
            let point = try hex(test.point)
            if let refusal = test.refusal.error {
                #expect(throws: refusal, "\(test.name)") { try PublicKey(x963Representation: point) }
            } else {
                let key = try PublicKey(x963Representation: point)
                #expect(key.x963Representation == Data(point))
                #expect(key.rawRepresentation == Data(point.dropFirst()))
            }
        }
    }

    @Test func onlyScalarsFromOneToBelowTheOrderAreTaken() throws {
        #expect(own.scalars.count == 9)
        for test in own.scalars {
            let scalar = try hex(test.scalar)
            if let refusal = test.refusal.error {
                #expect(throws: refusal, "\(test.name)") { try PrivateKey(rawRepresentation: scalar) }
            } else {
                let key = try PrivateKey(rawRepresentation: scalar)
                #expect(key.rawRepresentation == Data(scalar))
                #expect(key.publicKey.x963Representation == Data(try hex(test.point)))
            }
        }
    }

    @Test func generatedKeysAreDistinctAndAgree() throws {
        let keys = (0..<16).map { _ in PrivateKey(compactRepresentable: false) }
        #expect(Set(keys.map(\.rawRepresentation)).count == 16)
        for (mine, theirs) in zip(keys, keys.dropFirst()) {
            let again = try PrivateKey(rawRepresentation: mine.rawRepresentation)
            #expect(again.publicKey.x963Representation == mine.publicKey.x963Representation)
            let here = try again.sharedSecretFromKeyAgreement(with: theirs.publicKey)
            let there = try theirs.sharedSecretFromKeyAgreement(
                with: PublicKey(x963Representation: mine.publicKey.x963Representation))
            #expect(here == there)
            let other = try mine.sharedSecretFromKeyAgreement(with: mine.publicKey)
            #expect(here != other)
        }
    }

    @Test func compactRepresentableKeysHaveTheSmallerY() {
        let keys = (0..<24).map { _ in PrivateKey() }
        #expect(keys.allSatisfy { $0.publicKey.isCompactRepresentable })
        let others = (0..<64).map { _ in PrivateKey(compactRepresentable: false) }
        #expect(!others.allSatisfy { $0.publicKey.isCompactRepresentable })
    }

    @Test func sharedSecretDerivesAsHKDFDoes() throws {
        let (mine, theirs) = (PrivateKey(), PrivateKey())
        let shared = try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey)
        let derived = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: [1, 2], sharedInfo: [3], outputByteCount: 40)
        let material = shared.withUnsafeBytes { SymmetricKey(data: $0) }
        #expect(
            derived
                == HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: [1, 2], info: [3], outputByteCount: 40))
    }
}

extension OwnVectors.Refusal {
    var error: CryptoKitError? {
        switch self {
        case .none: nil
        case .length: .incorrectParameterSize
        case .value: .invalidParameter
        }
    }
}
