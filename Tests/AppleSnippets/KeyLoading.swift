import CryptoKit
import Foundation
import Security

func loadSymmetricKey(group: String) -> SymmetricKey? {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "com.example.myapp.notification.key",
        kSecAttrAccessGroup as String: group,
        kSecReturnData as String: true,
        kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status == errSecSuccess, let data = item as? Data else { return nil }
    return SymmetricKey(data: data)
}

func storeSymmetricKey(_ key: Data, group: String) -> OSStatus {
    let attributes: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "com.example.myapp.notification.key",
        kSecAttrAccessGroup as String: group,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecValueData as String: key,
    ]
    return SecItemAdd(attributes as CFDictionary, nil)
}

func decryptPayload(
    cipherBase64: String,
    nonceBase64: String,
    tagBase64: String,
    key: SymmetricKey
) -> String? {
    guard let cipher = Data(base64Encoded: cipherBase64),
        let nonceData = Data(base64Encoded: nonceBase64),
        let tag = Data(base64Encoded: tagBase64),
        let nonce = try? AES.GCM.Nonce(data: nonceData)
    else {
        return nil
    }
    let sealedBox = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: cipher, tag: tag)
    guard let box = sealedBox,
        let plaintext = try? AES.GCM.open(box, using: key)
    else {
        return nil
    }
    return String(data: plaintext, encoding: .utf8)
}

func encryptPayload(_ text: String, key: SymmetricKey) -> (cipher: String, nonce: String, tag: String)? {
    guard let box = try? AES.GCM.seal(Data(text.utf8), using: key) else { return nil }
    return (
        box.ciphertext.base64EncodedString(), Data(box.nonce).base64EncodedString(), box.tag.base64EncodedString()
    )
}
