internal import Glibc

/// The keys of a store that the kernel lists for this process: those that it may look at, in whosever keyring they are.
///
/// It is what `/proc/keys` says, and empty where there is none: what is on it is verified as a number from a file is.
struct KernelKeyList {
    private var keys: [(name: String, key: KernelKey)] = []

    init(_ place: SessionPlace) {
        guard let file = fopen("/proc/keys", "re") else { return }
        defer { fclose(file) }
        let beginning = place.keyDescription("")
        var line = [CChar](repeating: 0, count: 1024)
        while fgets(&line, Int32(line.count), file) != nil {
            // There may be very many of other stores.
            guard strstr(line, beginning) != nil else { continue }
            // Number, flags, uses, time left, permissions, user, group, type, then the description, a colon and a length.
            let letters = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let fields = String(decoding: letters, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            guard fields.count > 8, fields[7] == "user", fields[8].hasPrefix(beginning), fields[8].hasSuffix(":"),
                let number = Int32(fields[0], radix: 16)
            else { continue }
            let name = String(fields[8].dropFirst(beginning.utf8.count).dropLast())
            guard (try? SessionPlace.check(name: name)) != nil else { continue }
            keys.append((name, KernelKey(number: number)))
        }
    }

    /// A name of several keys is there once.
    var names: [String] { Set(keys.map(\.name)).sorted() }

    func keys(_ name: String) -> [KernelKey] { keys.filter { $0.name == name }.map(\.key) }
}
