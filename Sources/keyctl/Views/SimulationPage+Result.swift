import EnvelopeFormat
import OpenerNSE
import Simulator

extension SimulationPage {
    /// The most of an image that is put on the page.
    private static let largestImage = 16 << 20

    /// - Parameter app: the app whose extension it is, where one was named.
    init(_ file: APNsFile, app: String?, obstacle: APNsFile.Obstacle) {
        self.init(file, app, after: nil, facts: [SimulationView.neverAsked(obstacle)])
    }

    /// What never reaches the phone.
    init(_ file: APNsFile, app: String?, undelivered reason: String) {
        let nothing = Card(notes: ["nothing"])
        self.init(app: Self.name(file, app), before: nothing, after: nothing, facts: ["it never arrives: \(reason)"])
    }

    init(_ file: APNsFile, app: String?, _ result: ExtensionSimulation.Result, refused: [TemplateError]) {
        self.init(
            file, app, after: Self.after(file, result),
            facts: SimulationView.facts(result) + SimulationView.refusedFiles(refused) + result.unrendered.map(SimulationReasons.line))
    }

    private init(_ file: APNsFile, _ app: String?, after: Card?, facts: [String]) {
        self.init(
            app: Self.name(file, app), before: Card(file.received, notes: SimulationView.notes(file.quietDetails)), after: after,
            facts: facts)
    }

    private static func name(_ file: APNsFile, _ app: String?) -> String { file.app ?? app ?? "App" }

    private static func after(_ file: APNsFile, _ result: ExtensionSimulation.Result) -> Card? {
        guard let shown = result.shown else { return nil }
        var card = Card(shown.base == .received ? file.received : shown.text)
        if let image = shown.attachment, let bytes = try? Input.read(image.path, limit: largestImage) {
            card.image = (image.type, bytes)
        }
        card.notes = SimulationView.notes(shown, result, file)
        return card
    }
}

extension SimulationPage.Card {
    init(_ text: ShownText, notes: [String] = []) {
        self.init(title: text.title, subtitle: text.subtitle, body: text.body, notes: notes)
    }
}
