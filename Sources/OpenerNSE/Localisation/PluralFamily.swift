/// Languages that count by the same rules: CLDR's cardinal plural rules.
enum PluralFamily: Sendable, CaseIterable {
    case invariable
    case oneIsOne, oneIsOneWithoutFraction, oneIsBelowOneToo, oneIsZeroToo, oneBeginsWithZeroOrOne
    case spanish, italian, french
    case danish, icelandic, macedonian, filipino, sinhala, latvian, lithuanian
    case hebrew, sami
    case russian, belarusian, serbian, polish, czech, slovenian, sorbian, romanian
    case arabic, maltese, irish, scottish, welsh, breton

    /// The family of a language; nil for one that is in none, whose text is always that for `other`.
    init?(_ tag: LanguageTag) {
        var name = tag.language
        if name == "pt", let region = tag.region, LanguageFacts.nearerRegion(of: name, in: region) ?? region == "PT" {
            name = "pt-PT"
        }
        guard let family = Self.allCases.first(where: { $0.languages.contains(name[...]) }) else { return nil }
        self = family
    }

    var languages: [Substring] { names.split(separator: " ") }

    private var names: String {
        switch self {
        case .invariable: "bo dz id ig ii ja jv kea km ko lo ms my sah sg su th to wo yo yue zh"
        case .oneIsOne:
            "af az bg brx ce chr ckb dv el eo eu fo fur gsw ha haw hu ka kk kl ku ky lb lg mas ml mn mr nb nd ne nn no nr ny om or os ps "
                + "rm rof sd sn so sq ss st ta te tk tn tr ts ug uz ve vo xh"
        case .oneIsOneWithoutFraction: "ast de en et fi fy ia io nl sc sv sw ur yi"
        case .oneIsBelowOneToo: "am as bn doi fa gu hi kn kok vi zu"
        case .oneIsZeroToo: "ak bho ln mg nso pa ti wa"
        case .oneBeginsWithZeroOrOne: "ff hy kab"
        case .spanish: "es"
        case .italian: "ca gl it lld pt-PT scn vec"
        case .french: "fr pt"
        case .danish: "da"
        case .icelandic: "is"
        case .macedonian: "mk"
        case .filipino: "ceb fil"
        case .sinhala: "si"
        case .latvian: "lv prg"
        case .lithuanian: "lt"
        case .hebrew: "he"
        case .sami: "iu naq se sma smj smn sms"
        case .russian: "ru uk"
        case .belarusian: "be"
        case .serbian: "bs hr sr"
        case .polish: "pl"
        case .czech: "cs sk"
        case .slovenian: "sl"
        case .sorbian: "dsb hsb"
        case .romanian: "ro"
        case .arabic: "ar"
        case .maltese: "mt"
        case .irish: "ga"
        case .scottish: "gd"
        case .welsh: "cy"
        case .breton: "br"
        }
    }
}
