extension PluralFamily {
    /// The category of a number. Names of operands are CLDR's.
    func category(of number: PluralOperands) -> PluralCategory {
        let (i, v, f, t) = (number.i, number.v, number.f, number.t)
        let (isOne, isTwo) = (number.n(is: 1), number.n(is: 2))
        /// Rules that are the same for the whole part, where there is no fraction, and for the fraction.
        func either(_ rule: (UInt64) -> Bool) -> Bool { v == 0 && rule(i) || rule(f) }
        let isManyMillions = i != 0 && i % 1_000_000 == 0 && v == 0

        switch self {
        case .invariable: return .other
        case .oneIsOne: return isOne ? .one : .other
        case .oneIsOneWithoutFraction: return i == 1 && v == 0 ? .one : .other
        case .oneIsBelowOneToo: return i == 0 || isOne ? .one : .other
        case .oneIsZeroToo: return number.n(in: 0...1) ? .one : .other
        case .oneBeginsWithZeroOrOne: return i <= 1 ? .one : .other
        case .spanish: return isOne ? .one : isManyMillions ? .many : .other
        case .italian: return i == 1 && v == 0 ? .one : isManyMillions ? .many : .other
        case .french: return i <= 1 ? .one : isManyMillions ? .many : .other
        case .danish: return isOne || t != 0 && i <= 1 ? .one : .other
        case .icelandic: return t == 0 && i.endsInOne || t.endsInOne ? .one : .other
        case .macedonian: return either(\.endsInOne) ? .one : .other
        case .filipino:
            let isOther = [4, 6, 9].contains((v == 0 ? i : f) % 10)
            return isOther ? .other : .one
        case .sinhala: return number.n(in: 0...1) || i == 0 && f == 1 ? .one : .other
        case .latvian:
            if number.n(mod: 10, in: 0...0) || number.n(mod: 100, in: 11...19) || v == 2 && (11...19).contains(f % 100) {
                return .zero
            }
            if number.isWhole && i.endsInOne || v == 2 && f.endsInOne || v != 2 && f % 10 == 1 { return .one }
            return .other
        case .lithuanian:
            if number.n(mod: 10, in: 1...9), !(11...19).contains(i % 100) { return i % 10 == 1 ? .one : .few }
            return f != 0 ? .many : .other
        case .hebrew:
            if i == 1 && v == 0 || i == 0 && v != 0 { return .one }
            return i == 2 && v == 0 ? .two : .other
        case .sami: return isOne ? .one : isTwo ? .two : .other
        case .russian:
            if v != 0 { return .other }
            return i.endsInOne ? .one : i.endsInTwoToFour ? .few : .many
        case .belarusian:
            if !number.isWhole { return .other }
            return i.endsInOne ? .one : i.endsInTwoToFour ? .few : .many
        case .serbian: return either(\.endsInOne) ? .one : either(\.endsInTwoToFour) ? .few : .other
        case .polish:
            if v != 0 { return .other }
            return i == 1 ? .one : i.endsInTwoToFour ? .few : .many
        case .czech:
            if v != 0 { return .many }
            return i == 1 ? .one : (2...4).contains(i) ? .few : .other
        case .slovenian:
            if v != 0 { return .few }
            return i % 100 == 1 ? .one : i % 100 == 2 ? .two : (3...4).contains(i % 100) ? .few : .other
        case .sorbian:
            return either { $0 % 100 == 1 } ? .one : either { $0 % 100 == 2 } ? .two : either { (3...4).contains($0 % 100) } ? .few : .other
        case .romanian:
            if i == 1, v == 0 { return .one }
            return v != 0 || i == 0 || (1...19).contains(i % 100) ? .few : .other
        case .arabic:
            if number.n(in: 0...2) { return i == 0 ? .zero : i == 1 ? .one : .two }
            return number.n(mod: 100, in: 3...10) ? .few : number.n(mod: 100, in: 11...99) ? .many : .other
        case .maltese:
            if isOne || isTwo { return isOne ? .one : .two }
            return number.n(is: 0) || number.n(mod: 100, in: 3...10) ? .few : number.n(mod: 100, in: 11...19) ? .many : .other
        case .irish:
            if isOne || isTwo { return isOne ? .one : .two }
            return number.n(in: 3...6) ? .few : number.n(in: 7...10) ? .many : .other
        case .scottish:
            if isOne || number.n(is: 11) { return .one }
            if isTwo || number.n(is: 12) { return .two }
            return number.n(in: 3...10) || number.n(in: 13...19) ? .few : .other
        case .welsh:
            guard number.isWhole else { return .other }
            switch i {
            case 0: return .zero
            case 1: return .one
            case 2: return .two
            case 3: return .few
            case 6: return .many
            default: return .other
            }
        case .breton:
            guard number.isWhole else { return .other }
            let isTens = [1, 7, 9].contains(i / 10 % 10)
            if i % 10 == 1, !isTens { return .one }
            if i % 10 == 2, !isTens { return .two }
            if [3, 4, 9].contains(i % 10), !isTens { return .few }
            return i != 0 && i % 1_000_000 == 0 ? .many : .other
        }
    }
}

extension UInt64 {
    /// 1, 21, 31 … 101, 121 …, not 11.
    fileprivate var endsInOne: Bool { self % 10 == 1 && self % 100 != 11 }
    /// 2, 3, 4, 22 …, not 12, 13, 14.
    fileprivate var endsInTwoToFour: Bool { (2...4).contains(self % 10) && !(12...14).contains(self % 100) }
}
