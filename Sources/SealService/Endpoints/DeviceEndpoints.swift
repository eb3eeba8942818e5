import BackendJSON
import EnvelopeFormat
import KeyStore

/// `POST /v1/devices`: takes an enrollment document, with `replaces` in the place of another device.
struct EnrollEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let document = try call.body.withBytes { (bytes) throws(FormatError) in try EnrollmentDocument(parsing: bytes) }
        let old = try call.query["replaces"].map {
            try service.store.device(matching: $0, replacedBy: document.thumbprint, now: call.now).thumbprint
        }
        let (device, isNew) = try service.store.enroll(document, replaces: old, now: call.now) { _ in !service.isStopping() }
        return HTTPAnswer(isNew ? 201 : 200, DeviceForm.json(device, isNew: isNew, replaced: old).write())
    }
}

/// `GET /v1/devices`: some of the enrolled devices, by thumbprint.
struct DeviceListEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let page = try PageQuery(call.query)
        let after = try page.after.map { (text) throws(Problem) in
            guard let thumbprint = DeviceThumbprint(text) else { throw Problem(.invalid, "after", "it is no thumbprint") }
            return thumbprint
        }
        let (records, next) = try page.cut(after: after, \.thumbprint) { try service.store.devices(after: $0, limit: $1) }
        let json = JSONValue.members([
            "devices": .list(records, DeviceForm.json), "next": next.map { .string($0.string) },
        ])
        return HTTPAnswer(200, json.write())
    }
}

/// `GET /v1/devices/{device}`
struct DeviceEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        HTTPAnswer(200, DeviceForm.json(try service.store.device(matching: call.segment("device"))).write())
    }
}

/// `DELETE /v1/devices/{device}`: cuts it off from its conversations, each of which seals under a fresh secret.
struct DeviceRemovalEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let thumbprint = try service.store.device(matching: call.segment("device"), for: .deviceRemove, now: call.now).thumbprint
        try service.store.removeDevice(thumbprint, now: call.now) { _ in !service.isStopping() }
        return HTTPAnswer(200, DeviceForm.json(removed: thumbprint).write())
    }
}

/// `GET /v1/devices/{device}/bundles`: what waits for it, the lowest `seq` first.
struct BundlesEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        let device = try service.store.device(matching: call.segment("device"), for: .bundleIssue, now: call.now).thumbprint
        let bundles = try service.store.pendingBundles(for: device, now: call.now) { _ in !service.isStopping() }
        return HTTPAnswer(200, BundleForm.json(bundles).write())
    }
}

/// `POST /v1/devices/{device}/bundles/{seq}/ack`: the device has accepted exactly this bundle.
struct AcknowledgementEndpoint: Endpoint {
    func answer(_ call: Call, in service: ServiceParts) throws -> HTTPAnswer {
        guard let sequence = JSONValue.number(call.segment("seq")).plainInteger else {
            throw Problem(.invalid, "seq", "not a plain whole number")
        }
        let device = try service.store.device(matching: call.segment("device"), for: .bundleAcknowledge, now: call.now).thumbprint
        try service.store.acknowledge(device: device, sequence: sequence, now: call.now)
        return HTTPAnswer(200, BundleForm.json(acknowledged: sequence, by: device).write())
    }
}
