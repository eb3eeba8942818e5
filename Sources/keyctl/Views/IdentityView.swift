import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a device store's identity is shown: never more than its thumbprint.
enum IdentityView {
    static func view(of device: DeviceStore) throws -> View {
        guard let thumbprint = try device.identityThumbprint() else { return .absent("identity") }
        return View(lines: ["device \(thumbprint)"], json: .members(["device": .string(thumbprint.string)]))
    }
}
