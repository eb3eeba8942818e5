/// What has to be known of languages to find a file: from CLDR's aliases, likely subtags and parent locales, and IANA's registry.
enum LanguageFacts {
    /// Codes that have another name now, with the script that the old one meant.
    static let renamed: [String: (language: String, script: String?)] = [
        "iw": ("he", nil), "in": ("id", nil), "ji": ("yi", nil), "jw": ("jv", nil), "mo": ("ro", nil), "tl": ("fil", nil),
        "cmn": ("zh", nil), "sh": ("sr", "Latn"),
    ]

    /// The script that a language is written in where nothing else is said.
    private static let usualScripts: [String: String] = [
        "zh": "Hans", "yue": "Hant", "sr": "Cyrl", "az": "Latn", "uz": "Latn", "pa": "Guru", "kk": "Cyrl", "ky": "Cyrl",
        "mn": "Cyrl", "sd": "Arab", "ug": "Arab", "tg": "Cyrl", "bs": "Latn",
    ]

    /// Where a region says another one.
    private static let otherScripts: [String: [(script: String, regions: Set<String>)]] = [
        "zh": [
            (
                "Hant",
                ["AU", "BN", "GB", "GF", "HK", "ID", "MO", "PA", "PF", "PH", "SR", "TH", "TW", "US", "VN"]
            )
        ],
        "yue": [("Hans", ["CN"])],
        "sr": [("Latn", ["ME", "RO", "TR"])],
        "az": [("Arab", ["IQ", "IR"]), ("Cyrl", ["RU"])],
        "uz": [("Arab", ["AF"]), ("Cyrl", ["CN"])],
        "pa": [("Arab", ["PK"])],
        "kk": [("Arab", ["AF", "CN", "IR", "MN"])],
        "ky": [("Arab", ["CN"]), ("Latn", ["TR"])],
        "mn": [("Mong", ["CN"])],
        "sd": [("Deva", ["IN"])],
        "ug": [("Cyrl", ["KZ", "MN"])],
        "tg": [("Arab", ["PK"])],
    ]

    /// Regions whose language is nearer to that of another region, or of a continent, than to the language as such.
    private static let nearerRegions: [String: (region: String, of: Set<String>)] = [
        "es": (
            "419",
            [
                "AR", "BO", "BR", "BZ", "CL", "CO", "CR", "CU", "DO", "EC", "GT", "HN", "JP", "MX", "NI", "PA", "PE", "PR", "PY",
                "SV", "US", "UY", "VE",
            ]
        ),
        "pt": ("PT", ["AO", "CH", "CV", "FR", "GQ", "GW", "LU", "MO", "MZ", "ST", "TL"]),
    ]

    /// The script of a language of the table, as written in a region; nil for the many that are written in one.
    static func script(of language: String, in region: String?) -> String? {
        let other = otherScripts[language]?.first { entry in region.map(entry.regions.contains) ?? false }
        return other?.script ?? usualScripts[language]
    }

    static func nearerRegion(of language: String, in region: String) -> String? {
        nearerRegions[language].flatMap { $0.of.contains(region) ? $0.region : nil }
    }

    /// Languages to try when there is nothing in this one: Bokmål and Norwegian are one to most who write files.
    static func relatives(of language: String) -> [String] {
        switch language {
        case "nb": ["no"]
        case "no": ["nb"]
        case "nn": ["no", "nb"]
        default: []
        }
    }
}
