/// A text with places for arguments, `{name}`; `{{` and `}}` in it are braces.
struct TemplateText: Sendable {
    enum Piece: Sendable {
        case literal(Substring)
        case argument(Substring)
    }

    /// How long a text may be, in bytes of UTF-8.
    static let byteCounts = 1...4_096
    /// How long the name of an argument may be, in bytes.
    static let nameByteCounts = 1...64
    /// What a text with its arguments may come to, in bytes: more than a payload can bring.
    static let renderedByteLimit = 8_192

    let pieces: [Piece]

    init(_ text: String) throws(TemplateFlaw) {
        guard Self.byteCounts.contains(text.utf8.count) else {
            throw TemplateFlaw(reason: "a text of \(text.utf8.count) bytes, not 1 to \(Self.byteCounts.upperBound)")
        }
        var pieces: [Piece] = []
        let bytes = text.utf8
        var (start, index) = (bytes.startIndex, bytes.startIndex)
        func literal(upTo end: String.Index) {
            if start < end { pieces.append(.literal(text[start..<end])) }
        }
        while index < bytes.endIndex {
            let (brace, next) = (bytes[index], bytes.index(after: index))
            guard brace == UInt8(ascii: "{") || brace == UInt8(ascii: "}") else {
                index = next
                continue
            }
            if next < bytes.endIndex, bytes[next] == brace {
                literal(upTo: next)
                index = bytes.index(after: next)
            } else {
                guard brace == UInt8(ascii: "{") else { throw TemplateFlaw(reason: "a } that ends nothing; }} is a brace") }
                literal(upTo: index)
                guard let end = bytes[next...].firstIndex(of: UInt8(ascii: "}")), Self.isName(bytes[next..<end]) else {
                    throw TemplateFlaw(reason: "a { that begins no {name}; {{ is a brace")
                }
                pieces.append(.argument(text[next..<end]))
                index = bytes.index(after: end)
            }
            start = index
        }
        literal(upTo: bytes.endIndex)
        self.pieces = pieces
    }

    /// Letters and digits of ASCII, `_`, `-` and `.`.
    private static func isName(_ name: Substring.UTF8View) -> Bool {
        nameByteCounts.contains(name.count)
            && name.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
            }
    }

    /// The text with the arguments in their places. What stands in a value is never looked at for places again.
    /// - Throws: where an argument is missing, where it comes to too much, and where there would be nothing to see.
    func rendered(_ arguments: [(name: String, value: String)]) throws(TemplateFlaw) -> String {
        var values: [Substring] = []
        for case .argument(let name) in pieces {
            guard let value = arguments.first(where: { $0.name.isSame(as: name) })?.value else {
                throw TemplateFlaw(reason: "the message has no argument \(name)")
            }
            values.append(value[...])
        }
        let hasTwoDirections = values.contains(where: Direction.isTold) || pieces.contains { $0.isDirectionTold }
        var text = ""
        var next = values.makeIterator()
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .argument:
                let value = next.next() ?? ""
                text += hasTwoDirections ? Direction.isolated(value) : String(value)
            }
            guard text.utf8.count <= Self.renderedByteLimit else {
                throw TemplateFlaw(reason: "it comes to more than \(Self.renderedByteLimit) bytes")
            }
        }
        guard text.unicodeScalars.contains(where: \.isSeen) else { throw TemplateFlaw(reason: "there is nothing to see of it") }
        return text
    }
}

extension TemplateText.Piece {
    fileprivate var isDirectionTold: Bool {
        if case .literal(let text) = self { Direction.isTold(in: text) } else { false }
    }
}

extension Unicode.Scalar {
    fileprivate var isSeen: Bool { !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint }
}
