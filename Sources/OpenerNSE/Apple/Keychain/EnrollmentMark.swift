internal import EnvelopeFormat
internal import OpenerNSE

/// A file in the shared container that says which identity was enrolled, under which access group. By it an extension whose
/// keychain is empty tells "not enrolled yet" from "looking in the wrong place".
struct EnrollmentMark: Sendable, Equatable {
    private static let file = "enrolled.json"
    let thumbprint: DeviceThumbprint
    let keychainGroup: String

    static func read(_ directory: ContainerDirectory) -> EnrollmentMark? {
        guard let bytes = try? directory.read(file, atMost: 4_096), let json = try? JSONValue.parse(bytes),
            let thumbprint = json["thumbprint"]?.text.flatMap({ DeviceThumbprint($0) }), let group = json["keychain_group"]?.text
        else { return nil }
        return EnrollmentMark(thumbprint: thumbprint, keychainGroup: group)
    }

    func write(_ directory: ContainerDirectory) throws(ContainerError) {
        let json = JSONValue.object([
            JSONMember("thumbprint", .string(thumbprint.string)), JSONMember("keychain_group", .string(keychainGroup)),
        ])
        try directory.replace(Self.file, with: json.write())
    }
}
