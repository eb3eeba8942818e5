public import EnvelopeFormat

/// The app's templates: files in a directory of the shared container, `notifications-<tag>.json` for a language and
/// `notifications.json` when no language has a text.
///
/// They are read anew for each notification, one at a time, and nothing is kept: what the app has replaced is used from the next
/// notification on. A file that is refused is as good as absent, and so is a text that lacks an argument.
public struct Templates: TextRendering {
    private let directory: ContainerDirectory
    private let chain: [TemplateSource]

    /// - Parameters:
    ///   - languages: the user's, the preferred one first, as language tags (BCP 47): on Apple's systems `Locale.preferredLanguages`.
    ///     What is none is passed over.
    ///   - baseLanguage: what `notifications.json` is written in, for its plurals; without it they are all `other`.
    public init(_ directory: ContainerDirectory, languages: [String], baseLanguage: String? = nil) {
        self.directory = directory
        let base = TemplateSource(baseLanguage: baseLanguage.flatMap { LanguageTag($0) })
        chain = LanguageTag.chain(of: languages).map { TemplateSource($0) } + [base]
    }

    public func texts(title: LocalizedText?, body: LocalizedText?) -> (title: String?, body: String?) {
        var texts: (title: String?, body: String?) = (nil, nil)
        for source in chain {
            let wanted = (title: texts.title == nil ? title : nil, body: texts.body == nil ? body : nil)
            guard wanted.title != nil || wanted.body != nil else { break }
            guard let file = try? read(source.file) else { continue }
            func rendered(_ text: LocalizedText) -> String? { try? file[text.key]?.rendered(text.arguments, family: source.family) }
            texts.title = texts.title ?? wanted.title.flatMap(rendered)
            texts.body = texts.body ?? wanted.body.flatMap(rendered)
        }
        return texts
    }

    /// Why none of the files gives this text, for the app's developers; nil where one does.
    public func unrendered(_ text: LocalizedText) -> UnrenderedText? {
        var (absent, reasons): ([String], [String]) = ([], [])
        for source in chain {
            do {
                guard let file = try read(source.file) else {
                    absent.append(source.file)
                    continue
                }
                if try file[text.key]?.rendered(text.arguments, family: source.family) != nil { return nil }
                reasons.append("\(source.file): it has no such key")
            } catch let flaw as TemplateFlaw { reasons.append("\(source.file): \(flaw.reason)") } catch {
                reasons.append("\(source.file): it is refused")
            }
        }
        if !absent.isEmpty { reasons.append("not there: \(absent.joined(separator: ", "))") }
        return UnrenderedText(key: text.key, reason: reasons.joined(separator: "; "))
    }

    /// Puts a file in the place of the one of that language, once it is found to be one of templates; the app calls it.
    ///
    /// A reader in any process has the old file or the new one.
    /// - Parameter language: a language tag; nil for `notifications.json`.
    /// - Throws: ``TemplateError`` for what would be refused, ``ContainerError`` when it cannot be written. The old file is there then.
    public func write(_ bytes: [UInt8], language: String?) throws {
        let name = try Self.name(of: language)
        _ = try TemplateFile(bytes, name: name)
        try directory.replace(name, with: bytes)
    }

    /// Removes the file of a language; one that is not there is no error.
    /// - Parameter language: a language tag; nil for `notifications.json`.
    /// - Throws: ``TemplateError`` for what is no language tag, ``ContainerError`` when it cannot be removed.
    public func remove(language: String?) throws { try directory.remove(try Self.name(of: language)) }

    /// The files that are no use as they are, each with the reason, for the app's developers: those that are refused, and those
    /// that nobody looks for because of their names.
    public func refused() throws(ContainerError) -> [TemplateError] {
        var errors: [TemplateError] = []
        for name in try directory.names() where TemplateSource.isMeant(name) {
            guard TemplateSource.isName(name) else {
                errors.append(TemplateError(file: name, reason: "no name of templates: the tag is none, or has to be written otherwise"))
                continue
            }
            do throws(TemplateError) { _ = try read(name) } catch { errors.append(error) }
        }
        return errors
    }

    /// nil for one that is not there.
    private func read(_ name: String) throws(TemplateError) -> TemplateFile? {
        let content: [UInt8]?
        do throws(ContainerError) { content = try directory.read(name, atMost: TemplateFile.byteLimit) } catch {
            guard !error.isTooLarge else { throw TemplateFile.tooLarge((try? directory.byteCount(of: name)) ?? 0, name: name) }
            throw TemplateError(file: name, reason: "\(error.operation) failed (\(error.code))")
        }
        return try content.map { bytes throws(TemplateError) in try TemplateFile(bytes, name: name) }
    }

    private static func name(of language: String?) throws(TemplateError) -> String {
        guard let language else { return TemplateSource.base }
        guard let tag = LanguageTag(language) else {
            throw TemplateError(file: "notifications", reason: "not a language tag of BCP 47")
        }
        return TemplateSource(tag).file
    }
}
