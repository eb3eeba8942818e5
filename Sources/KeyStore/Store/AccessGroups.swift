internal import Glibc

/// The access groups of a store, which are the directories in it.
enum AccessGroups {
    /// The standard group, or the only one there is.
    /// - Throws: `.notFound` without any, `.badInput` when one has to be named.
    static func standard(in store: AbsolutePath) throws(KeyStoreError) -> String {
        let names = try names(in: store)
        if names.contains(StoreConfiguration.standardAccessGroup) { return StoreConfiguration.standardAccessGroup }
        guard let name = names.first else { throw KeyStoreError(.notFound, store.string, "there is no store") }
        guard names.count == 1 else {
            throw KeyStoreError(
                .badInput, store.string, "it has \(names.count) access groups: \(names.joined(separator: ", "))",
                hint: "name one with --access-group")
        }
        return name
    }

    private static func names(in store: AbsolutePath) throws(KeyStoreError) -> [String] {
        guard let stream = opendir(store.string) else {
            throw KeyStoreError(errno: errno, store.string, "there is no store that can be opened")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
