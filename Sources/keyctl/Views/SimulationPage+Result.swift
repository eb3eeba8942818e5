import EnvelopeFormat
import OpenerNSE
import Simulator

extension SimulationPage {
    /// The most of an image that is put on the page.
    private static let largestImage = 16 << 20

    init(_ file: APNsFile, obstacle: APNsFile.Obstacle) {
        self.init(file, after: nil, facts: [SimulationView.neverAsked(obstacle)])
    }

    init(_ file: APNsFile, _ result: ExtensionSimulation.Result, refused: [TemplateError]) {
        self.init(
            file, after: Self.after(file, result), facts: SimulationView.facts(result) + SimulationView.refusedFiles(refused))
    }

    private init(_ file: APNsFile, after: Card?, facts: [String]) {
        self.init(
            app: file.app ?? "App", before: Card(file.received, notes: SimulationView.notes(file.quietDetails)), after: after, facts: facts)
    }

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
