import EnvelopeFormat

@testable import OpenerNSE

/// Notifications that wait, and a drain.
enum QueueWork {
    static func run(in folder: String) throws(ContainerError) {
        let queue = try DeferredQueue(folder)
        // Two that are locked, one that opens in time, one that opens too late, the first again.
        for (identifier, text, outcome, isShown) in [
            ("a", "1", Outcome.keyLocked, true), ("b", "2", .keyLocked, true), ("c", "3", .opened, true),
            ("d", "4", .opened, false), ("a", "1", .keyLocked, true),
        ] {
            let incoming = IncomingNotification(identifier: identifier, sealed: .string(text), arrival: Int64(text) ?? 0)
            let entry = queue.begin(incoming)
            Main.say("begun \(identifier)")
            switch queue.settle(entry, incoming, outcome, isShown: isShown) {
            case .underWay(let open):
                Main.say("shown \(identifier)")
                queue.finish(open)
            // What could not be written down first is shown all the same.
            case .settled, .queued: Main.say("\(outcome == .opened && isShown ? "shown" : "queued") \(identifier)")
            case .refused(let reason): Main.say("refused \(identifier) \(reason.rawValue)")
            }
        }
        try queue.drain(now: 5) { entry in
            Main.say("shown \(entry.identifier)")
            return entry.identifier != "b"
        }
        Main.say("drained")
    }
}
