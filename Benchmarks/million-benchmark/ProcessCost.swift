import BenchmarkSupport
import Glibc

/// What a process took, by the kernel's account.
struct ProcessCost {
    let wall: Double
    let user: Double
    let system: Double
    /// The most memory it had at once, in KiB.
    let peak: Int

    var cpu: Double { user + system }

    var description: String {
        "\(text(wall)) s, user \(text(user)) s + sys \(text(system)) s, at most \(text(Double(peak) / 1024, 1)) MiB"
    }

    /// The same shared out among so many things.
    func each(_ count: Int) -> String {
        let per = 1e6 / Double(max(1, count))
        return "\(text(wall * per, 1)) µs each (CPU \(text(cpu * per, 1)): user \(text(user * per, 1)), "
            + "sys \(text(system * per, 1)))"
    }
}
