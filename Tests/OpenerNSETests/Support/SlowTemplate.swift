/// What a text and its arguments come to, read one scalar at a time and without regard to directions.
enum SlowTemplate: Equatable {
    case refused
    case missing
    /// The scalars, those that isolate left out.
    case text([UInt32])

    init(_ text: String, _ arguments: [(name: String, value: String)]) {
        var rest = text.unicodeScalars.map(\.value)
        var (result, isMissing): ([UInt32], Bool) = ([], false)
        let (open, close) = (UInt32(0x7B), UInt32(0x7D))
        while !rest.isEmpty {
            let scalar = rest.removeFirst()
            if scalar != open && scalar != close {
                result.append(scalar)
            } else if rest.first == scalar {
                result.append(rest.removeFirst())
            } else if scalar == close {
                self = .refused
                return
            } else {
                var name = ""
                while let next = rest.first, next != close {
                    name.unicodeScalars.append(Unicode.Scalar(next) ?? " ")
                    rest.removeFirst()
                }
                let allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.".unicodeScalars
                guard !rest.isEmpty, !name.isEmpty, name.unicodeScalars.count <= 64, name.unicodeScalars.allSatisfy(allowed.contains) else {
                    self = .refused
                    return
                }
                rest.removeFirst()
                let argument = arguments.first { Array($0.name.utf8) == Array(name.utf8) }
                if let argument { result += argument.value.unicodeScalars.map(\.value) } else { isMissing = true }
            }
        }
        self = isMissing ? .missing : .text(result.filter { !(0x2066...0x2069).contains($0) })
    }
}
