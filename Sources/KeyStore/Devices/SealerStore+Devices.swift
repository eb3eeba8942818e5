internal import CryptoPrimitives
public import EnvelopeFormat

extension SealerStore {
    /// Enrolls a device. The same document again changes nothing.
    /// - Parameters:
    ///   - replaces: a device whose memberships go to this one, and which is removed then.
    ///   - goesOn: as of ``removeDevice(_:now:goesOn:)``.
    /// - Throws: `.conflict` when the same key is enrolled with another secret, `.notFound` for the device to replace.
    public func enroll(
        _ document: EnrollmentDocument, replaces: DeviceThumbprint? = nil, now: Int64,
        goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> (device: DeviceRecord, isNew: Bool) {
        let thumbprint = document.thumbprint
        let subject = "device \(thumbprint)"
        var removed: (successor: DeviceThumbprint?, count: Int) = (nil, 0)
        let isNew = try write(auditing: .deviceEnroll, subject, at: now) { (life) throws(KeyStoreError) in
            guard replaces != thumbprint else {
                throw KeyStoreError(.badInput, subject, "it cannot replace itself")
            }
            let isNew = try life.enroll(document)
            var isNews = isNew
            if let replaces {
                let isThere = try life.rows.find(DeviceRow.self, replaces.string) != nil
                if isNew || isThere {
                    isNews = true
                    removed = try life.removeSome(replaces, successor: thumbprint, goesOn)
                    life.rows.audit(.deviceRemove, "device \(replaces)", reason: "replaced by \(thumbprint)")
                }
            }
            // The same document again is no news.
            if !isNews { life.rows.act = nil }
            return isNew
        }
        if let replaces { try finishRemoval(of: replaces, removed, now, goesOn) }
        return (try device(matching: thumbprint.string), isNew)
    }

    /// As ``device(matching:)``, for an operation that is to follow: where it is refused already here, because no such
    /// device is enrolled or the store is locked, the audit log tells of it.
    /// - Parameter subject: what the operation is done to; nil for the device.
    public func device(
        matching prefix: String, for operation: AuditOperation, of subject: String? = nil, now: Int64
    ) throws(KeyStoreError) -> DeviceRecord {
        try store.auditingRefusals(of: AuditNote(operation, subject ?? "device \(prefix)"), at: now) {
            () throws(KeyStoreError) in try device(matching: prefix)
        }
    }

    /// The device of that thumbprint, or the only one whose thumbprint begins so.
    /// - Throws: `.notFound`, `.badInput` when several begin so.
    public func device(matching prefix: String) throws(KeyStoreError) -> DeviceRecord {
        // What is no start of a thumbprint is not repeated in errors.
        let isStart = (1...43).contains(prefix.utf8.count) && prefix.utf8.allSatisfy(Self.isBase64URL)
        guard isStart else { throw KeyStoreError(.notFound, "device", "it is no start of a thumbprint") }
        return try read { (life) throws(KeyStoreError) in
            if let device = try life.rows.find(DeviceRow.self, prefix) { return try life.record(of: device.record) }
            // What begins so comes right after it.
            let found = try life.rows.all(DeviceRow.self, .after(prefix), limit: 2).map(\.record)
                .filter { $0.identifier.hasPrefix(prefix) }
            guard let device = found.first else {
                throw KeyStoreError(.notFound, "device \(prefix)", "no such device is enrolled")
            }
            guard found.count == 1 else {
                throw KeyStoreError(.badInput, "device \(prefix)", "several thumbprints begin so")
            }
            return try life.record(of: device)
        }
    }

    /// Removes a device: its bundles and enrollment secret, and its memberships, each with a fresh secret.
    ///
    /// What takes more than one transaction refuses meanwhile to seal in the conversations it has not come to; repeated
    /// after an interruption, it goes on where it was. What was begun as a replacement goes on as one: the memberships go
    /// to the successor. The removal of the successor ends the replacement with its first transaction: the device that was
    /// being replaced is enrolled as before, with the memberships it still has.
    /// - Parameter goesOn: asked now and then, with how many conversations it was taken out of; false ends it, and what is
    ///   done stays.
    /// - Throws: `.notFound`; `.conflict` when the successor was removed meanwhile.
    public func removeDevice(
        _ thumbprint: DeviceThumbprint, now: Int64, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) {
        let removed = try write(auditing: .deviceRemove, "device \(thumbprint)", at: now) { (life) throws(KeyStoreError) in
            try life.removeSome(thumbprint, successor: nil, goesOn)
        }
        try finishRemoval(of: thumbprint, removed, now, goesOn)
    }

    /// The device to be replaced by one that is being enrolled, by the start of its thumbprint; also one that was replaced
    /// by that one before.
    /// - Throws: `.notFound`, `.badInput` when several begin so.
    public func device(
        matching prefix: String, replacedBy successor: DeviceThumbprint, now: Int64
    ) throws(KeyStoreError) -> (thumbprint: DeviceThumbprint, isReplaced: Bool) {
        try store.auditingRefusals(of: AuditNote(.deviceEnroll, "device \(successor)"), at: now) {
            () throws(KeyStoreError) in try device(matching: prefix, replacedBy: successor)
        }
    }

    private func device(
        matching prefix: String, replacedBy successor: DeviceThumbprint
    ) throws(KeyStoreError) -> (thumbprint: DeviceThumbprint, isReplaced: Bool) {
        do { return (try device(matching: prefix).thumbprint, false) } catch {
            guard error.kind == .notFound, !prefix.isEmpty else { throw error }
            let found = try read { (life) throws(KeyStoreError) in
                // Where it is not enrolled, there is something left to do.
                guard try life.rows.find(DeviceRow.self, successor.string) != nil else { return DeviceThumbprint?.none }
                return try life.replaced(prefix, by: successor)
            }
            guard let found else { throw error }
            return (found, true)
        }
    }

    /// - Parameter begun: what its memberships go to, and out of how many conversations it was taken.
    private func finishRemoval(
        of thumbprint: DeviceThumbprint, _ begun: (successor: DeviceThumbprint?, count: Int), _ now: Int64,
        _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) {
        var (done, some) = (begun.count, begun.count)
        while some > 0 {
            guard goesOn(done) else { throw .interrupted }
            some = try write(at: now) { (life) throws(KeyStoreError) in
                try life.continueRemoval(of: thumbprint, to: begun.successor)
            }
            done += some
        }
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
