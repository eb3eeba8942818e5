import EnvelopeFormat
import OpenerNSE
import Simulator

/// A simulated notification as a page that looks like a lock screen, before and after: one file, without scripts, that fetches nothing.
struct SimulationPage {
    /// What stands on one card.
    struct Card {
        var title: String?
        var subtitle: String?
        var body: String?
        /// Type and bytes.
        var image: (type: ImageType, bytes: [UInt8])?
        /// What has to be said of it beside: that it makes no sound.
        var notes: [String] = []
    }

    let app: String
    let before: Card
    /// Nil where the system shows what came.
    let after: Card?
    /// How it ended, and the events, for who looks at the page.
    let facts: [String]

    var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
        <title>Notification on \(Self.escape(app))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        \(screen("before", "As it came", before))
        \(screen("after", after == nil ? "After: as it came" : "After", after ?? before))
        </main>
        <footer><ul>
        \(facts.map { "<li>\(Self.escape($0))</li>" }.joined(separator: "\n"))
        </ul></footer>
        </body>
        </html>

        """
    }

    private func screen(_ name: String, _ heading: String, _ card: Card) -> String {
        let texts = [("title", card.title), ("subtitle", card.subtitle), ("body", card.body)].compactMap { name, text in
            // Each in its own direction, whatever the others are.
            text.map { "<p class=\"\(name)\" dir=\"auto\">\(Self.escape($0))</p>" }
        }
        let notes = card.notes.map { "<p class=\"note\">\(Self.escape($0))</p>" }
        let image = card.image.map { image in
            "<img alt=\"\" src=\"data:image/\(image.type.rawValue);base64,\(Base64.encode(image.bytes))\">"
        }
        return """
            <section id="\(name)" aria-label="\(heading)">
            <h2>\(heading)</h2>
            <div class="screen">
            <p class="clock" aria-hidden="true">9:41</p>
            <article>
            <header><span class="icon" aria-hidden="true"></span><span class="app">\(Self.escape(app))</span><span class="when">now</span></header>
            <div class="content"><div class="text">
            \((texts + notes).joined(separator: "\n"))
            </div>\(image ?? "")</div>
            </article>
            </div>
            </section>
            """
    }

    /// For text and for attributes in quotation marks.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static let style = """
        :root{color-scheme:light dark;--page:#e8e8ed;--ink:#1d1d1f;--card:rgba(250,250,252,.86);--quiet:#6e6e73;--sky:linear-gradient(#7fa7d9,#c9b6d8)}
        @media (prefers-color-scheme:dark){:root{--page:#111113;--ink:#f5f5f7;--card:rgba(44,44,48,.86);--quiet:#98989d;--sky:linear-gradient(#16243c,#35274a)}}
        *{box-sizing:border-box}
        body{margin:0;padding:24px;background:var(--page);color:var(--ink);font:16px/1.35 system-ui,sans-serif}
        main{display:flex;flex-wrap:wrap;gap:32px;justify-content:center}
        h2{font-size:15px;font-weight:600;text-align:center}
        .screen{width:340px;min-height:420px;padding:40px 12px;border-radius:40px;background:var(--sky)}
        .clock{margin:0 0 56px;text-align:center;font-size:64px;font-weight:300;line-height:1;color:#fff}
        article{padding:12px 14px;border-radius:20px;background:var(--card)}
        header{display:flex;gap:8px;align-items:center;font-size:13px;color:var(--quiet)}
        .icon{width:20px;height:20px;border-radius:5px;background:#3478f6}
        .when{margin-inline-start:auto}
        .content{display:flex;gap:10px;align-items:flex-start;margin-top:6px}
        .text{flex:1;min-width:0}
        .text p{margin:0;overflow-wrap:anywhere;white-space:pre-wrap;text-align:start;unicode-bidi:plaintext}
        .title,.subtitle{font-weight:600}
        .note{font-size:13px;font-style:italic;color:var(--quiet)}
        img{width:56px;height:56px;object-fit:cover;border-radius:8px}
        footer{max-width:720px;margin:32px auto 0;font-size:13px;color:var(--quiet)}
        """
}
