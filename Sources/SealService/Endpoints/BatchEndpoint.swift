import BackendJSON
import EnvelopeFormat
import Sealer

/// `POST /v1/seal/batch`: up to 1,000 requests, each with a result of its own, in their order.
struct BatchEndpoint: Endpoint {
    static let mostItems = 1_000

    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let reader = try RequestReader(try call.json(), "batch", ["requests"])
        guard case .array(let requests)? = reader.value("requests") else { throw Problem(.invalid, "requests", "not an array") }
        guard requests.count <= Self.mostItems else {
            throw Problem(.tooManyItems, "requests", "\(requests.count) where \(Self.mostItems) are taken")
        }
        var writer = ByteWriter(capacity: 64 + requests.count * 4_096)
        writer.append(#"{"results":["#)
        for (index, request) in requests.enumerated() {
            if index > 0 { writer.append(",") }
            do {
                let request = try SealRequest(request)
                let pushes = try service.seal(request, call)
                writer.append(#"{"status":200,"result":"#)
                PushForm.append(pushes, of: request.conversation, to: &writer)
            } catch {
                let problem = Problem(reporting: error)
                writer.append(#"{"status":"#)
                writer.append(decimal: Int64(problem.kind.status))
                writer.append(#","problem":"#)
                writer.append(json: problem.json)
            }
            writer.append("}")
        }
        writer.append("]}")
        return HTTPAnswer(200, writer.bytes)
    }
}
