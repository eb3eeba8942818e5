package import EnvelopeFormat

/// Where the parts of an object or array lie in a text of JSON, found by its quotes and brackets alone.
///
/// A case may hold what strict JSON refuses, such as half a surrogate pair: it is told apart from its neighbours by this,
/// and each is then read by itself.
package struct JSONOutline: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value as strict JSON, at most so many containers deep.
    package func value(_ range: Range<Int>, maximumDepth: Int) throws(FormatError) -> JSONValue {
        try JSONValue.parse(Array(bytes[range]), maximumDepth: maximumDepth)
    }

    /// The one object or array that the text is; nil when it is not closed, or something follows it.
    package var whole: Range<Int>? {
        guard let range = value(at: 0), skip(range.upperBound) == bytes.count else { return nil }
        return range
    }

    /// From the bracket that the text begins with to its end, whether that is closed or not; nil when it begins otherwise.
    package var beginning: Range<Int>? {
        let start = skip(0)
        guard start < bytes.count, "{[".utf8.contains(bytes[start]) else { return nil }
        return start..<bytes.count
    }

    /// The elements of an array; nil for anything else.
    package func elements(_ range: Range<Int>) -> [Range<Int>]? {
        guard var position = open(range, UInt8(ascii: "[")) else { return nil }
        var elements: [Range<Int>] = []
        while let element = value(at: position) {
            elements.append(element)
            guard let next = after(element.upperBound, UInt8(ascii: ",")) else { break }
            position = next
        }
        return elements
    }

    /// Reads a value strictly, and keeps nothing of it but a part at a time: texts are long.
    /// - Throws: for what the strict reader refuses, a member twice in an object above all.
    package func check(_ range: Range<Int>, maximumDepth: Int) throws(FormatError) {
        guard range.count > 1 << 20, maximumDepth > 1, let closing = Self.closing(bytes[range.lowerBound]) else {
            _ = try value(range, maximumDepth: maximumDepth)
            return
        }
        var names = Set<[UInt8]>()
        var position = range.lowerBound + 1
        if let end = after(position, closing), end == range.upperBound { return }
        while true {
            if closing == UInt8(ascii: "}") { position = try name(at: position, &names) }
            guard let part = value(at: position) else { throw error("no value", position) }
            try check(part, maximumDepth: maximumDepth - 1)
            if let next = after(part.upperBound, UInt8(ascii: ",")) {
                position = next
            } else {
                guard after(part.upperBound, closing) == range.upperBound else { throw error("no , or bracket", part.upperBound) }
                return
            }
        }
    }

    /// The names of an object's members, in any order.
    /// - Throws: where one is there twice, or it is no object. What the members hold is not looked at.
    package func names(_ range: Range<Int>) throws(FormatError) -> [String] {
        guard var position = open(range, UInt8(ascii: "{")) else { throw error("no object", range.lowerBound) }
        if after(position, UInt8(ascii: "}")) == range.upperBound { return [] }
        var names = Set<[UInt8]>()
        while true {
            position = try name(at: position, &names)
            guard let part = value(at: position) else { throw error("no value", position) }
            guard let next = after(part.upperBound, UInt8(ascii: ",")) else { break }
            position = next
        }
        return names.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Steps over the name of a member and its colon.
    private func name(at position: Int, _ names: inout Set<[UInt8]>) throws(FormatError) -> Int {
        guard let key = value(at: position), let name = try value(key, maximumDepth: 1).text,
            let next = after(key.upperBound, UInt8(ascii: ":"))
        else { throw error("no name of a member", position) }
        guard names.insert(Array(name.utf8)).inserted else { throw error("a member twice", position) }
        return next
    }

    private static func closing(_ bracket: UInt8) -> UInt8? {
        switch bracket {
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    private func error(_ reason: String, _ position: Int) -> FormatError {
        FormatError(field: "JSON", reason: "\(reason) at byte \(position)")
    }

    /// The first member of that name in an object.
    package func member(_ name: String, of range: Range<Int>) -> Range<Int>? {
        guard var position = open(range, UInt8(ascii: "{")) else { return nil }
        while let key = value(at: position), let colon = after(key.upperBound, UInt8(ascii: ":")), let value = value(at: colon) {
            if let text = try? self.value(key, maximumDepth: 1).text, text.isSame(as: name) { return value }
            guard let next = after(value.upperBound, UInt8(ascii: ",")) else { return nil }
            position = next
        }
        return nil
    }

    /// Whether a value is an object, or begins like one.
    package func isObject(_ range: Range<Int>) -> Bool { open(range, UInt8(ascii: "{")) != nil }

    private func open(_ range: Range<Int>, _ bracket: UInt8) -> Int? {
        guard let first = bytes[range].first, first == bracket else { return nil }
        return range.lowerBound + 1
    }

    private func skip(_ position: Int) -> Int {
        bytes[min(position, bytes.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
    }

    /// Behind the byte, when it comes next.
    private func after(_ position: Int, _ byte: UInt8) -> Int? {
        let next = skip(position)
        return next < bytes.count && bytes[next] == byte ? next + 1 : nil
    }

    /// The value that begins there, white space passed over; nil where none does.
    private func value(at position: Int) -> Range<Int>? {
        let start = skip(position)
        guard start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "\""): return start..<endOfString(start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return endOfContainer(start).map { start..<$0 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"): return nil
        default:
            let end = bytes[start...].firstIndex { [0x20, 0x09, 0x0A, 0x0D].contains($0) || ",]}:".utf8.contains($0) }
            return start..<(end ?? bytes.count)
        }
    }

    private func endOfString(_ start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }

    private func endOfContainer(_ start: Int) -> Int? {
        var depth = 0
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(position)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return position }
        }
        return nil
    }
}
