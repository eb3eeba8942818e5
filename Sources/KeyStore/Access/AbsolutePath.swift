internal import Glibc

/// A path from the root, without `.`, `..` or doubled slashes. As no symbolic link is followed, `..` is of the text.
struct AbsolutePath: Equatable, Sendable {
    let components: [String]

    init(_ path: String) throws(KeyStoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw KeyStoreError(.badInput, "path", "it is empty or holds a zero byte")
        }
        var whole = path
        if !path.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else {
                throw KeyStoreError(errno: errno, path, "the working directory is not known")
            }
            whole = String(cString: current) + "/" + path
            free(current)
        }
        var components: [String] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." {
                _ = components.popLast()
            } else {
                components.append(String(part))
            }
        }
        self.components = components
    }

    private init(components: [String]) { self.components = components }

    var string: String { "/" + components.joined(separator: "/") }
    var parent: AbsolutePath { AbsolutePath(components: Array(components.dropLast())) }
    var name: String { components.last ?? "/" }

    func appending(_ name: String) -> AbsolutePath { AbsolutePath(components: components + [name]) }
}
