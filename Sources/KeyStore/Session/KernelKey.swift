internal import CLinux
internal import Glibc

/// One key of type "user" in the kernel's key service, by its number (keyrings(7)).
struct KernelKey: Equatable {
    /// What the kernel says of a key.
    struct Attributes: Equatable {
        let uid: UInt32
        let gid: UInt32
        let permissions: UInt32
        let description: String
    }

    let number: Int32

    /// A new key that this thread alone has (its keyring goes with the thread, so a crash leaves nothing).
    static func create(_ description: String, _ payload: GuardedBytes) throws(SessionError) -> KernelKey {
        let result = payload.withBytes { bytes in
            waxwing_key_add(description, bytes.baseAddress, bytes.count, KEY_SPEC_THREAD_KEYRING)
        }
        return KernelKey(number: Int32(try check(result, "add_key")))
    }

    /// The key of that description that is linked to the user keyring; nil when none is or it is gone.
    static func find(_ description: String) throws(SessionError) -> KernelKey? {
        let result = waxwing_key_search_user(KEY_SPEC_USER_KEYRING, description)
        // The kernel would make the user keyring first, beyond the quota: there is none, so nothing is in it.
        if result == -Int(EDQUOT) { return nil }
        return try present(result, "keyctl search").map { KernelKey(number: Int32($0)) }
    }

    /// Owner, group, permissions and description; nil when it is gone, of another type, or not ours to see.
    func attributes() throws(SessionError) -> Attributes? {
        var text = [CChar](repeating: 0, count: 512)
        let result = waxwing_key_describe(number, &text, text.count)
        if result == -Int(EACCES) { return nil }
        guard let length = try Self.present(result, "keyctl describe"), 1...text.count ~= length else { return nil }
        let letters = text.prefix(length - 1).map { UInt8(bitPattern: $0) }
        let fields = String(decoding: letters, as: UTF8.self).split(separator: ";", maxSplits: 4)
        guard fields.count == 5, fields[0] == "user", let uid = UInt32(fields[1]), let gid = UInt32(fields[2]),
            let permissions = UInt32(fields[3], radix: 16)
        else { return nil }
        return Attributes(uid: uid, gid: gid, permissions: permissions, description: String(fields[4]))
    }

    /// The payload; nil when it is gone.
    func payload() throws(SessionError) -> GuardedBytes? {
        guard let length = try Self.present(waxwing_key_read_payload(number, nil, 0), "keyctl read") else { return nil }
        guard 1...SessionPlace.maximumKeyByteCount ~= length else { return nil }
        var result = 0
        let bytes: GuardedBytes
        do {
            bytes = try GuardedBytes(
                count: length,
                filledBy: { (buffer) throws(SodiumError) in
                    result = waxwing_key_read_payload(number, buffer.baseAddress, buffer.count)
                })
        } catch { throw .memory(error) }
        guard let readCount = try Self.present(result, "keyctl read") else { return nil }
        return readCount == length ? bytes : nil
    }

    func setGroup(_ group: UInt32) throws(SessionError) {
        try Self.check(waxwing_key_set_group(number, group), "keyctl chown")
    }

    func setPermissions(_ permissions: UInt32) throws(SessionError) {
        try Self.check(waxwing_key_set_permissions(number, permissions), "keyctl setperm")
    }

    func setTimeout(_ seconds: Int) throws(SessionError) {
        try Self.check(waxwing_key_set_timeout(number, UInt32(seconds)), "keyctl set_timeout")
    }

    /// Keeps it in the user keyring, where it outlives processes and log-ins; one of that description is displaced.
    func publish() throws(SessionError) {
        try Self.check(waxwing_key_link(number, KEY_SPEC_USER_KEYRING), "keyctl link")
    }

    /// Lets go of the thread's own link.
    func release() throws(SessionError) {
        try Self.check(waxwing_key_unlink(number, KEY_SPEC_THREAD_KEYRING), "keyctl unlink")
    }

    /// Takes the user keyring's link of that description away, which is to be this key's, before it is invalidated: of a link to
    /// a key that is not valid any more the kernel never gives the quota back.
    func withdraw() { _ = waxwing_key_unlink(number, KEY_SPEC_USER_KEYRING) }

    /// From now on nobody finds it; no error when it is gone already.
    func invalidate() throws(SessionError) {
        _ = try Self.present(waxwing_key_invalidate(number), "keyctl invalidate")
    }

    @discardableResult
    private static func check(_ result: Int, _ operation: String) throws(SessionError) -> Int {
        guard result >= 0 else { throw .system(operation: operation, code: Int32(-result)) }
        return result
    }

    /// nil for what a key that is gone, expired or revoked answers.
    private static func present(_ result: Int, _ operation: String) throws(SessionError) -> Int? {
        if [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(Int32(-result)) { return nil }
        return try check(result, operation)
    }
}
