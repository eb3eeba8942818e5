import BackendJSON
import EnvelopeFormat
import KeyStore
import Sealer

/// `POST /v1/conversations`: creates one; one that is there exactly so is answered as it is.
struct ProvisionEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let plan = try ProvisionPlan(try call.json())
        do {
            let record = try plan.carryOut(on: service.store, now: call.now)
            return HTTPAnswer(201, ConversationForm.json(record).write())
        } catch let error as KeyStoreError where error.kind == .alreadyExists {
            let record = try service.store.conversation(plan.conversation)
            guard try plan.isDone(record, on: service.store) else {
                throw Problem(.conflict, error.subject, "\(error.reason), and not as this request says")
            }
            return HTTPAnswer(200, ConversationForm.json(record).write())
        }
    }
}

/// `GET /v1/conversations`: some of them, by name.
struct ConversationListEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let page = try PageQuery(call.query)
        let after = try page.after.map { (text) throws(FormatError) in try ConversationIdentifier(text) }
        let (records, next) = try page.cut(after: after, \.conversation) { try service.store.conversations(after: $0, limit: $1) }
        let json = JSONValue.members([
            "conversations": .list(records, ConversationForm.json),
            "next": next.map { .string($0.string) },
        ])
        return HTTPAnswer(200, json.write())
    }
}

/// `GET /v1/conversations/{conversation}`
struct ConversationEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        HTTPAnswer(200, ConversationForm.json(try service.store.conversation(try call.conversation())).write())
    }
}

/// `POST /v1/conversations/{conversation}/members`: lets a device in.
struct MemberEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let reader = try RequestReader(try call.json(), "member", ["device"])
        guard let text = try reader.text("device") else { throw Problem(.invalid, "device", "missing") }
        let conversation = try call.conversation()
        let device = try service.store.device(matching: text, for: .memberAdd, of: "conversation \(conversation)", now: call.now)
        let record = try service.store.addMember(device.thumbprint, to: conversation, now: call.now)
        return HTTPAnswer(200, ConversationForm.json(record).write())
    }
}

/// `DELETE /v1/conversations/{conversation}/members/{device}`: a fresh secret is sealed under at once.
struct MemberRemovalEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let conversation = try call.conversation()
        let device = try service.store.device(
            matching: call.segment("device"), for: .memberRemove, of: "conversation \(conversation)", now: call.now)
        let record = try service.store.removeMember(device.thumbprint, from: conversation, now: call.now)
        return HTTPAnswer(200, ConversationForm.json(record).write())
    }
}

/// `POST /v1/conversations/{conversation}/rotate`: the next epoch, or with `rekey` a fresh secret.
struct RotateEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let rotation = try Rotation(try call.json())
        let result = try rotation.carryOut(on: service.store, try call.conversation(), now: call.now)
        return HTTPAnswer(200, result.json.write())
    }
}
