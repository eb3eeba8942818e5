import EnvelopeFormat
@testable import OpenerNSE

/// A file of templates: the first byte says which language it is in, then come arguments, `name=value` in lines, a zero byte, and the file.
struct TemplateFuzzer: Fuzzer {
    static let properties: Set<Property> = [.identity, .refusal, .door, .bound]
    private static let reading = Bound(factor: 64, constant: 4_096)
    /// Of an argument at most 256 bytes can come in more than once.
    private static let rendering = Bound(factor: 16, constant: 65_536)
    private static let name = "notifications.json"

    private let families: [PluralFamily?]

    init(_: Rings) { families = PluralFamily.allCases + [nil] }

    func run(_ input: [UInt8]) -> Bool {
        let family = families[Int(input.first ?? 0) % families.count]
        let parts = input.dropFirst().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        let arguments = Self.arguments(parts.first ?? [])
        let bytes = parts.count > 1 ? parts[1] : []
        let file = Self.reading.measured(bytes.count) { try? TemplateFile(bytes, name: Self.name) }
        let padded = try? TemplateFile([0x20] + bytes + [0x0A], name: Self.name)
        require(
            .refusal, (padded == nil) == (file == nil) && !isPlanted(.refusal) || bytes.count + 2 > TemplateFile.byteLimit,
            "white space around it makes a difference")
        guard let file, let json = try? JSONValue.parse(bytes), let members = json.members else {
            require(.refusal, file == nil, "a file that is no object")
            return false
        }
        let written = altered(.identity, json.write())
        let again = try? TemplateFile(written, name: Self.name)
        for member in members {
            guard let template = file[member.name] else { violation("door: a key of the file has no template") }
            let text = Self.rendering.measured(input.count) { try? template.rendered(arguments, family: family) }
            require(
                .identity, again?[member.name].flatMap { try? $0.rendered(arguments, family: family) } == text,
                "a file that is written is read otherwise")
            check(text, member.value, arguments)
        }
        return true
    }

    /// The text is what a plain reading of the template comes to, and values are never looked at for places.
    private func check(_ text: String?, _ value: JSONValue, _ arguments: [(name: String, value: String)]) {
        if let text { require(.bound, text.utf8.count <= TemplateText.renderedByteLimit, "a text that is too long") }
        guard case .string(let template) = value, let text else { return }
        // Where directions meet, isolates are put in, and what would end one is left out.
        guard !([template] + arguments.map(\.value)).contains(where: { Direction.isTold(in: $0[...]) }) else { return }
        let plain = Self.plainly(Array(template.unicodeScalars), arguments)
        require(.door, (isPlanted(.door) ? "?" : plain).isSame(as: text), "it is rendered otherwise than read plainly")
    }

    private static func plainly(_ template: [Unicode.Scalar], _ arguments: [(name: String, value: String)]) -> String {
        var text = String.UnicodeScalarView()
        var index = 0
        while index < template.count {
            let scalar = template[index]
            index += 1
            guard scalar == "{" || scalar == "}" else {
                text.append(scalar)
                continue
            }
            if index < template.count, template[index] == scalar {
                text.append(scalar)
                index += 1
                continue
            }
            var name = String.UnicodeScalarView()
            while index < template.count, template[index] != "}" {
                name.append(template[index])
                index += 1
            }
            index += 1
            let value = arguments.first { $0.name.isSame(as: String(name)) }?.value ?? "?"
            text.append(contentsOf: value.unicodeScalars)
        }
        return String(text)
    }

    private static func arguments(_ bytes: [UInt8]) -> [(name: String, value: String)] {
        bytes.split(separator: 0x0A).prefix(16).map { line in
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (String(decoding: parts[0], as: UTF8.self), parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
        }
    }
}
