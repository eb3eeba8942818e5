/// Which part of a list is asked for.
struct Page {
    static let size = 1_000

    /// The last name of the part before; nil for the first part.
    var after: String?
    var limit = Page.size

    var isFirst: Bool { after == nil }

    /// The options of a command that lists in parts.
    static func options(after value: String) -> [OptionSpec] {
        [
            OptionSpec("after", value, "go on after this one"),
            OptionSpec("limit", "N", "how many at most, 1 to 10000; \(size) if not given"),
        ]
    }
}

extension Invocation {
    /// `--after` and `--limit`.
    func page() throws(CommandError) -> Page {
        var page = Page(after: value("after"))
        if let limit = try limit(atMost: 10_000) { page.limit = Int(limit) }
        return page
    }

    /// `--limit`, which is 1 at the least; nil when it is not given.
    func limit(atMost most: Int64 = .max) throws(CommandError) -> Int64? {
        guard let limit = try wholeNumber("limit") else { return nil }
        guard limit >= 1, limit <= most else {
            throw usage(most == .max ? "--limit is less than 1" : "--limit is not of 1 to \(most)")
        }
        return limit
    }

    /// The report of one part of a list; that there is more is said on standard error, and by `next` in the JSON.
    func report(_ part: (view: View, next: String?)) -> Report {
        if let next = part.next, !isJSON { note("there is more: --after \(next)") }
        return part.view.report
    }
}
