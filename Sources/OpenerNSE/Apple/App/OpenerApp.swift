public import EnvelopeFormat
public import OpenerNSE
internal import Foundation

/// The app's side of what it shares with its extension: enrollment, bundles, what waited for an unlock, templates, telemetry.
public struct OpenerApp: Sendable {
    public let identity: DeviceIdentity
    let parts: DeviceParts
    let container: GroupContainer

    /// - Throws: ``DeviceSetupError``: no container of the App Group, or it cannot be written.
    public init(_ settings: OpenerSettings) throws(DeviceSetupError) {
        container = try GroupContainer(settings.appGroup)
        parts = DeviceParts(settings, container)
        identity = DeviceIdentity(parts, container.directory)
        if let thumbprint = try? identity.thumbprint() { try? identity.mark(thumbprint) }
    }

    /// Offers a provisioning bundle, one compact string, to the keychain. One that is not installed changes nothing.
    ///
    /// `key-locked` means: keep the bundle, and offer it again once the phone is unlocked.
    public func accept(bundle: String) -> BundleResult {
        BundleAcceptance(keychain: parts.keychain).accept(Array(bundle.utf8), now: SystemClock.now())
    }

    /// Which bundles the extension found missing, each told once: fetch them.
    public func takeBundleNotes() throws(DeviceSetupError) -> [BundleNote] {
        do throws(ContainerError) { return try BundleNotes(container.directory).take() } catch { throw .container(error) }
    }

    /// How many sealed notifications were shown as a placeholder and could not be kept for want of room, each told once.
    public func takeRefusedCount() throws(DeviceSetupError) -> Int {
        do throws(ContainerError) { return try container.queue.takeRefusedCount() } catch { throw .container(error) }
    }

    /// What the extension's events come to, as far back as they are kept.
    public func telemetry() throws(DeviceSetupError) -> TelemetryReport {
        do throws(ContainerError) { return TelemetryReport(try TelemetryRing(container.directory).lines()) } catch {
            throw .container(error)
        }
    }

    /// Keeps a key of the split profile; of three the oldest goes, and the same one again changes nothing.
    /// - Parameter document: as `keyctl split export` writes it, over the app's own authenticated channel. The caller wipes it.
    /// - Throws: ``DeviceSetupError``: `badInput`, `splitKeyConflict`, `keychain`.
    public func add(splitKey document: [UInt8]) throws(DeviceSetupError) {
        let key: SplitKeyDocument
        do throws(FormatError) { key = try SplitKeyDocument(parsing: document) } catch { throw .badInput(error) }
        let isAdded: Bool
        do throws(KeychainUnavailable) { isAdded = try parts.keychain.add(key) } catch { throw .keychain(error) }
        guard isAdded else { throw .splitKeyConflict }
    }

    /// Gives up all keys of a conversation, where they may be known to somebody else: nothing sealed with them opens any more, and
    /// no bundle brings them back. The conversation goes on once the backend has made a new handle for it.
    public func revoke(_ conversation: ConversationIdentifier) throws(DeviceSetupError) {
        do throws(KeychainUnavailable) { try parts.keychain.revoke(conversation) } catch { throw .keychain(error) }
    }

    /// Erases the secrets whose time is over.
    public func eraseEnded() throws(DeviceSetupError) {
        do throws(KeychainUnavailable) { try parts.keychain.eraseEnded() } catch { throw .keychain(error) }
    }

    /// Writes the templates of a language for the extension, in the place of earlier ones.
    /// - Parameters:
    ///   - json: an object, as docs/localisation.md has it.
    ///   - language: a BCP 47 tag; nil for the templates of all languages that have none.
    /// - Throws: ``DeviceSetupError/templates(_:)`` for what would be refused by the extension; the earlier ones stay then.
    public func writeTemplates(_ json: [UInt8], language: String?) throws(DeviceSetupError) {
        do { try Templates(container.directory, languages: []).write(json, language: language) } catch let error as TemplateError {
            throw .templates(error)
        } catch let error as ContainerError {
            throw .container(error)
        } catch {
            throw .badInput(FormatError(field: "templates", reason: "not written"))
        }
    }
}
