extension LanguageTag {
    /// The tags to look for, nearest first: lookup by RFC 4647, section 3.4, with what CLDR knows of scripts and regions.
    ///
    /// `zh-Hant-HK`: itself, `zh-HK` (which means the same), `zh-Hant`, `zh`.
    var candidates: [LanguageTag] {
        var found: [LanguageTag] = []
        func add(_ script: String?, _ region: String?) {
            let tag = LanguageTag(language: language, script: script, region: region)
            if !found.contains(tag) { found.append(tag) }
        }
        let implied = LanguageFacts.script(of: language, in: region)
        add(script, region)
        if let region {
            if script == nil, let implied { add(implied, region) }
            if script == implied { add(nil, region) }
            if script == nil, let nearer = LanguageFacts.nearerRegion(of: language, in: region) { add(nil, nearer) }
        }
        if let script = script ?? implied { add(script, nil) }
        add(nil, nil)
        return found + LanguageFacts.relatives(of: language).map { LanguageTag(language: $0) }
    }

    /// All that the user's languages come to, in the order of preference, none twice.
    /// - Parameter languages: tags; what is none is passed over, and so are those after the sixteenth.
    static func chain(of languages: [String]) -> [LanguageTag] {
        var chain: [LanguageTag] = []
        for candidate in languages.lazy.compactMap({ LanguageTag($0) }).prefix(16).flatMap(\.candidates)
        where !chain.contains(candidate) {
            chain.append(candidate)
        }
        return chain
    }
}
