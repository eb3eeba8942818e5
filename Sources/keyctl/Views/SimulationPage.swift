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
        <footer>
        <h2>What happened</h2>
        <ul>
        \(facts.map { "<li>\(Self.escape($0))</li>" }.joined(separator: "\n"))
        </ul>
        </footer>
        </body>
        </html>

        """
    }

    /// What stands in the place of the app's icon: of `com.example.chat` it is a C, of its last part.
    private var initial: String { app.split(separator: ".").last?.first.map { $0.uppercased() } ?? "" }

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
            <div class="phone"><div class="screen">
            <span class="island" aria-hidden="true"></span>
            <span class="date" aria-hidden="true">Tuesday, January 9</span>
            <span class="clock" aria-hidden="true">9:41</span>
            <article>
            <span class="icon" aria-hidden="true">\(Self.escape(initial))</span>
            <div class="content">
            <header><span class="app">\(Self.escape(app))</span><span class="when">now</span></header>
            <div class="row"><div class="text">
            \((texts + notes).joined(separator: "\n"))
            </div>\(image ?? "")</div>
            </div>
            </article>
            <span class="home" aria-hidden="true"></span>
            </div></div>
            </section>
            """
    }

    /// For text and for attributes in quotation marks. What is no character to look at is shown as what it is; isolates of a
    /// direction stay, since templates bring them and they end with their paragraph.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\u{2066}"..."\u{2069}": escaped.unicodeScalars.append(scalar)
            case _ where PrintableText.mustEscape(scalar): escaped += PrintableText.escape(String(scalar))
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static let style = """
        :root{color-scheme:light dark;--page:#f2f2f7;--ink:#1c1c1e;--card:rgba(246,246,250,.82);--quiet:#5f5f66;--panel:#fff;--frame:#1c1c1e;
        --sky:radial-gradient(120% 70% at 15% 0,#8ec5f4,transparent 60%),radial-gradient(110% 60% at 100% 35%,#f3a8bd,transparent 65%),linear-gradient(#5f86cf,#7b5fb5)}
        @media (prefers-color-scheme:dark){:root{--page:#000;--ink:#f5f5f7;--card:rgba(44,44,50,.8);--quiet:#a1a1a8;--panel:#1c1c1e;--frame:#3a3a3c;
        --sky:radial-gradient(120% 70% at 15% 0,#1f3f6b,transparent 60%),radial-gradient(110% 60% at 100% 35%,#4b2440,transparent 65%),linear-gradient(#0c1730,#1b1030)}}
        *{box-sizing:border-box}
        body{margin:0;padding:24px;background:var(--page);color:var(--ink);
        font:15px/1.33 -apple-system,BlinkMacSystemFont,system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
        main{display:flex;flex-wrap:wrap;gap:40px;justify-content:center}
        h2{margin:0 0 12px;font-size:13px;font-weight:600;text-align:center;color:var(--quiet)}
        .phone{padding:10px;border-radius:58px;background:var(--frame);box-shadow:0 18px 50px rgba(0,0,0,.28)}
        .screen{position:relative;display:flex;flex-direction:column;width:340px;min-height:700px;padding:14px 12px 10px;border-radius:48px;background:var(--sky);color:#fff}
        .island{align-self:center;width:104px;height:30px;border-radius:15px;background:#000}
        .date{margin-top:34px;text-align:center;font-size:18px;font-weight:600;opacity:.92}
        .clock{text-align:center;font-size:84px;font-weight:600;line-height:1;letter-spacing:-2px;opacity:.96}
        article{display:flex;gap:10px;margin-top:auto;padding:12px 14px;border-radius:24px;background:var(--card);color:var(--ink);
        -webkit-backdrop-filter:blur(24px) saturate(1.6);backdrop-filter:blur(24px) saturate(1.6)}
        .icon{flex:none;display:grid;place-items:center;align-self:center;width:38px;height:38px;border-radius:9px;background:linear-gradient(#5ac8fa,#0a7aff);color:#fff;font-size:19px;font-weight:700}
        .content{flex:1;min-width:0}
        header{display:flex;gap:8px;font-size:12px;color:var(--quiet)}
        .app{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .when{margin-inline-start:auto;flex:none}
        .row{display:flex;gap:10px;align-items:center}
        .text{flex:1;min-width:0}
        .text p{margin:0;overflow-wrap:anywhere;white-space:pre-wrap;text-align:start;unicode-bidi:plaintext}
        .title,.subtitle{font-weight:600}
        .note{font-size:12px;font-style:italic;color:var(--quiet)}
        img{flex:none;width:40px;height:40px;object-fit:cover;border-radius:8px}
        .home{align-self:center;width:120px;height:5px;margin-top:18px;border-radius:3px;background:#fff;opacity:.9}
        footer{max-width:760px;margin:32px auto 0;padding:16px 20px;border-radius:16px;background:var(--panel)}
        footer h2{text-align:start}
        ul{margin:0;padding:0;list-style:none;font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,monospace}
        """
}
