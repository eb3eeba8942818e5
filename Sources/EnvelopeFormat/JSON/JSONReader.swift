import CryptoPrimitives

/// A strict reader of JSON (RFC 8259): UTF-8 without a byte order mark, no member twice at any depth, no lone surrogates,
/// at most so many containers deep, white space before and after the one value and nothing else.
struct JSONReader {
    /// The outermost container is 1.
    static let maximumDepth = 16

    private let input: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Members of the outermost object whose text is kept from becoming a `String`, which cannot be wiped.
    private let secretMembers: [String]
    private var secrets: [(name: String, text: SymmetricKey)] = []

    private let maximumDepth: Int

    private init(_ input: UnsafeBufferPointer<UInt8>, maximumDepth: Int, secretMembers: [String]) {
        self.input = input
        self.maximumDepth = maximumDepth
        self.secretMembers = secretMembers
    }

    /// The value that the bytes are.
    static func read(_ bytes: [UInt8], maximumDepth: Int = maximumDepth) throws(FormatError) -> JSONValue {
        try read(bytes, maximumDepth: maximumDepth, secretMembers: []).value
    }

    /// The value that the bytes are. The strings of `secretMembers` in the outermost object are handed out apart, in
    /// memory that is wiped, and are empty in the value.
    static func read(
        _ bytes: [UInt8], maximumDepth: Int = maximumDepth, secretMembers: [String]
    ) throws(FormatError) -> (value: JSONValue, secrets: [(name: String, text: SymmetricKey)]) {
        let result = bytes.withUnsafeBufferPointer { input -> Result<_, FormatError> in
            Result { () throws(FormatError) in
                var reader = JSONReader(input, maximumDepth: maximumDepth, secretMembers: secretMembers)
                let value = try reader.whole()
                return (value: value, secrets: reader.secrets)
            }
        }
        return try result.get()
    }

    private func error(_ reason: String) -> FormatError {
        FormatError(field: "JSON", reason: "\(reason) at byte \(position)")
    }

    private mutating func whole() throws(FormatError) -> JSONValue {
        skipWhiteSpace()
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard position == input.count else { throw error("something after the value") }
        return value
    }

    private mutating func skipWhiteSpace() {
        while position < input.count, [0x20, 0x09, 0x0A, 0x0D].contains(input[position]) { position += 1 }
    }

    private func peek() throws(FormatError) -> UInt8 {
        guard position < input.count else { throw error("the end") }
        return input[position]
    }

    private mutating func value(depth: Int) throws(FormatError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(FormatError) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        guard end <= input.count,
            word.withUTF8Buffer({ $0.elementsEqual(input[position..<end]) })
        else { throw error("no value") }
        position = end
        return value
    }

    private func checkDepth(_ depth: Int) throws(FormatError) {
        guard depth <= maximumDepth else { throw error("deeper than \(maximumDepth)") }
    }

    /// Steps over `byte` when it is next.
    private mutating func take(_ byte: UInt8) throws(FormatError) -> Bool {
        skipWhiteSpace()
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func array(depth: Int) throws(FormatError) -> [JSONValue] {
        try checkDepth(depth)
        position += 1
        var values: [JSONValue] = []
        if try take(UInt8(ascii: "]")) { return values }
        repeat {
            skipWhiteSpace()
            values.append(try value(depth: depth))
        } while try take(UInt8(ascii: ","))
        guard try take(UInt8(ascii: "]")) else { throw error("no , or ] in an array") }
        return values
    }

    private mutating func object(depth: Int) throws(FormatError) -> [JSONMember] {
        try checkDepth(depth)
        position += 1
        var members: [JSONMember] = []
        var names = JSONNames()
        if try take(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error("no name of a member") }
            let name = try string()
            guard names.insert(name) else { throw error("a member twice") }
            guard try take(UInt8(ascii: ":")) else { throw error("no : after a name") }
            skipWhiteSpace()
            if depth == 1, secretMembers.contains(where: { $0.isSame(as: name) }), try peek() == UInt8(ascii: "\"") {
                secrets.append((name, try secretText()))
                members.append(JSONMember(name, .string("")))
            } else {
                members.append(JSONMember(name, try value(depth: depth)))
            }
        } while try take(UInt8(ascii: ","))
        guard try take(UInt8(ascii: "}")) else { throw error("no , or } in an object") }
        return members
    }

    private mutating func number() throws(FormatError) -> String {
        let start = position
        if position < input.count, input[position] == UInt8(ascii: "-") { position += 1 }
        if position < input.count, input[position] == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if position < input.count, input[position] == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if position < input.count, input[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < input.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(input[position]) {
                position += 1
            }
            try digits()
        }
        return String(decoding: input[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(FormatError) {
        let start = position
        while position < input.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(input[position]) {
            position += 1
        }
        guard position > start else { throw error("no value") }
    }

    private mutating func string() throws(FormatError) -> String {
        let scanned = try scanString()
        let text: String? =
            if scanned.hasEscapes {
                String(strictUTF8: try unescaped(scanned.range))
            } else {
                String(strictUTF8: input[scanned.range])
            }
        guard let text else { throw error("text that is not UTF-8") }
        return text
    }

    private mutating func secretText() throws(FormatError) -> SymmetricKey {
        let scanned = try scanString()
        var bytes = try unescaped(scanned.range)
        defer { wipe(&bytes) }
        return SymmetricKey(data: bytes)
    }

    /// Steps over a string and gives what stands between its quotes.
    private mutating func scanString() throws(FormatError) -> (range: Range<Int>, hasEscapes: Bool) {
        position += 1
        let start = position
        var hasEscapes = false
        while true {
            let byte = try peek()
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return (start..<position - 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                _ = try peek()
                position += 1
            case 0..<0x20: throw error("a control character in a string")
            default: break
            }
        }
    }

    private func unescaped(_ range: Range<Int>) throws(FormatError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = input[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let letter = input[index]
            index += 1
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "u"): bytes.append(contentsOf: String(try escapedScalar(&index, in: range)).utf8)
            default: throw error("an unknown escape in the string ending")
            }
        }
        return bytes
    }

    /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair.
    private func escapedScalar(_ index: inout Int, in range: Range<Int>) throws(FormatError) -> Unicode.Scalar {
        let first = try hexadecimal(&index, in: range)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(first)), index + 2 <= range.upperBound,
            input[index] == UInt8(ascii: "\\"), input[index + 1] == UInt8(ascii: "u")
        else { throw error("a lone surrogate in the string ending") }
        index += 2
        let second = try hexadecimal(&index, in: range)
        guard UTF16.isTrailSurrogate(UInt16(second)),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error("a lone surrogate in the string ending") }
        return scalar
    }

    private func hexadecimal(_ index: inout Int, in range: Range<Int>) throws(FormatError) -> UInt32 {
        guard index + 4 <= range.upperBound else { throw error("an unfinished escape in the string ending") }
        var value: UInt32 = 0
        for byte in input[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("an unfinished escape in the string ending")
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }
}
