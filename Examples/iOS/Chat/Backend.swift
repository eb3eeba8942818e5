import OpenerNSEApple
import UserNotifications

/// The app's own service, over its own authenticated channel: TLS, and a session of the signed-in user.
nonisolated struct Backend: Sendable {
    let url: URL?
    /// The token of the session, from where your app's sign-in keeps it; yours comes here. It throws while nobody is signed in, and
    /// nothing is sent then.
    var token: @Sendable () throws -> String = { throw URLError(.userAuthenticationRequired) }

    /// Gives the backend who this phone is. The document holds a secret: it is sent, and neither kept nor logged.
    func enroll(_ document: EnrollmentDocument) async throws {
        _ = try await post("enroll", Data(document.json()))
    }

    /// Tells where pushes go, and by which push service; a device token is an address, and never who the phone is.
    func register(token: Data, thumbprint: DeviceThumbprint) async throws {
        let address = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try await post(
            "address", ["device": thumbprint.string, "token": address, "environment": PushEnvironment.current.rawValue])
    }

    /// The bundles that wait for this phone, oldest first.
    func bundles() async throws -> [String] {
        let answer = try await post("bundles", Data())
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Tells which bundle was installed: until then it comes again.
    func acknowledge(_ sequence: Int64) async throws {
        _ = try await post("acknowledge", Data(#"{"seq":\#(sequence)}"#.utf8))
    }

    /// Tells how the extension does: numbers, and nothing of any message.
    func report(_ report: TelemetryReport) async throws {
        try await post(
            "telemetry",
            [
                "since": report.first ?? 0, "until": report.last ?? 0, "started": report.started, "delivered": report.delivered,
                "expired": report.expired, "opened": report.decryption.succeeded, "images": report.image.succeeded,
                "unopened": Dictionary(uniqueKeysWithValues: report.decryption.failed.map { ($0.key.rawValue, $0.value) }),
                "imageless": Dictionary(uniqueKeysWithValues: report.image.failed.map { ($0.key.rawValue, $0.value) }),
                "latencies": report.latencies,
            ])
    }

    private func post(_ path: String, _ members: [String: Any]) async throws {
        _ = try await post(path, try JSONSerialization.data(withJSONObject: members))
    }

    private func post(_ path: String, _ body: Data) async throws -> Data {
        guard let url else { throw URLError(.badURL) }
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.httpBody = body
        // Whose phone this is, the backend knows by the session of the signed-in user, here and with every other request.
        request.setValue("Bearer \(try token())", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }
}
