extension JSONValue {
    /// The value of strict JSON: see the envelope spec, section 2.
    /// - Throws: ``FormatError`` with what is wrong and at which byte.
    public static func parse(_ bytes: [UInt8]) throws(FormatError) -> JSONValue { try JSONReader.read(bytes) }

    /// The same for files of our own that hold such values inside: as strict, but deeper.
    package static func parse(_ bytes: [UInt8], maximumDepth: Int) throws(FormatError) -> JSONValue {
        try JSONReader.read(bytes, maximumDepth: maximumDepth)
    }

    /// Compact JSON, UTF-8 as is; escaped are only `"`, `\` and U+0000 to U+001F (envelope spec, section 3).
    public func write() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.append(json: self)
        return writer.bytes
    }
}

extension ByteWriter {
    /// A value as compact JSON.
    package mutating func append(json value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): value ? append("true") : append("false")
        case .number(let token): append(text: token)
        case .string(let text): append(quoted: text)
        case .array(let values):
            append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: value)
            }
            append(UInt8(ascii: "]"))
        case .object(let members):
            append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(quoted: member.name)
                append(UInt8(ascii: ":"))
                append(json: member.value)
            }
            append(UInt8(ascii: "}"))
        }
    }

    /// A string with its quotes.
    package mutating func append(quoted text: String) {
        reserve(text.utf8.count + 2)
        append(UInt8(ascii: "\""))
        append(escaped: text)
        append(UInt8(ascii: "\""))
    }

    /// The inside of a string.
    package mutating func append(escaped text: String) {
        // Without a copy of the string, which texts of this language never need.
        guard text.utf8.withContiguousStorageIfAvailable({ append(escaped: $0) }) == nil else { return }
        var text = text
        text.withUTF8 { append(escaped: $0) }
    }

    private mutating func append(escaped input: UnsafeBufferPointer<UInt8>) {
        guard let source = input.baseAddress else { return }
        reserve(input.count)
        var index = 0
        while index < input.count {
            let run = JSONEscape.plainPrefix(source + index, input.count - index)
            extend(run).update(from: source + index, count: run)
            index += run
            if index < input.count {
                append(escape: source[index])
                index += 1
            }
        }
    }

    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0..<0x20:
            append("u00")
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: append(byte)
        }
    }
}
