import EnvelopeFormat
import Foundation

@testable import OpenerNSE

/// A container of its own for templates, gone with the test.
final class TemplateFolder {
    let outer: URL
    let directory: ContainerDirectory

    init() throws {
        outer = FileManager.default.temporaryDirectory.appendingPathComponent("templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: outer, withIntermediateDirectories: false)
        directory = try ContainerDirectory(outer.appendingPathComponent("container").path)
    }

    deinit { try? FileManager.default.removeItem(at: outer) }

    /// Puts a file there as it is.
    func put(_ json: String, _ name: String) throws { try directory.replace(name, with: Array(json.utf8)) }

    func templates(_ languages: String..., base: String? = nil) -> Templates {
        Templates(directory, languages: languages, baseLanguage: base)
    }
}

extension Templates {
    func text(_ key: String, _ arguments: KeyValuePairs<String, String> = [:]) -> String? {
        texts(title: nil, body: LocalizedText(key: key, arguments: arguments.map { (name: $0.key, value: $0.value) })).body
    }
}
