/// Keeps the direction of a value to itself (UAX 9): a name in Hebrew does not scramble an English sentence, and no value can
/// reorder the text around it.
enum Direction {
    private static let firstStrongIsolate: Unicode.Scalar = "\u{2068}"
    private static let popIsolate: Unicode.Scalar = "\u{2069}"

    /// Whether there is anything in it that is written from right to left or tells a direction. Where there is not, in a text and
    /// in all of its values, all runs from left to right, and nothing need be isolated.
    static func isTold(in text: Substring) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x0590: false
            // Hebrew to Arabic; presentation forms; the scripts of planes 1 that are, or will be, written so.
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
            // The mark from right to left, embeddings, overrides, isolates.
            case 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    /// A value in isolation: between U+2068 and U+2069, each of its paragraphs by itself, as isolation ends with a paragraph.
    static func isolated(_ value: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isOpen = false
        /// Isolates of the value's own that are not ended yet.
        var depth = 0
        func close() {
            if isOpen { result.append(contentsOf: repeatElement(popIsolate, count: depth + 1)) }
            (isOpen, depth) = (false, 0)
        }
        for scalar in value.unicodeScalars {
            if isParagraphEnd(scalar) {
                close()
                result.append(scalar)
                continue
            }
            // One that ends nothing of the value's own would end the isolation.
            if scalar == popIsolate {
                guard depth > 0 else { continue }
                depth -= 1
            }
            if !isOpen { result.append(firstStrongIsolate) }
            isOpen = true
            if (0x2066...0x2068).contains(scalar.value) { depth += 1 }
            result.append(scalar)
        }
        close()
        return String(result)
    }

    private static func isParagraphEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x1C...0x1E, 0x85, 0x2029: true
        default: false
        }
    }
}
