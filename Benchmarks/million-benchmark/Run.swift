import BenchmarkSupport
import CryptoPrimitives
import EnvelopeFormat
import Glibc
import KeyStore

/// The whole of it: a store of many conversations made, listed, sealed to, rotated, and compared with SQLite alone.
struct Run {
    private static let smallCount = 1_000

    private let keyctl: String
    private let folder: String
    private let names: Names

    /// - Parameter arguments: the program, a folder that is there and takes the stores, how many conversations, and of how
    ///   many one has a member.
    init?(_ arguments: ArraySlice<String>) {
        let words = Array(arguments)
        guard (2...4).contains(words.count), let count = words.count > 2 ? Int(words[2]) : 20_000,
            let stride = words.count > 3 ? Int(words[3]) : 10, count > 0, stride > 0
        else { return nil }
        keyctl = words[0]
        folder = words[1]
        names = Names(count: count, stride: stride)
    }

    func run() throws {
        let small = Names(count: Self.smallCount, stride: 10)
        try make("small", small, isQuiet: true)
        try make("large", names, isQuiet: false)
        list()
        try SealComparison(small: (path("small"), small), large: (path("large"), names)).run()
        status()
        rotateAlone()
        rotateBesideSealing()
    }

    private func make(_ name: String, _ names: Names, isQuiet: Bool) throws {
        let (store, key) = (path(name), path("\(name).key"))
        Child.run([keyctl, "init", "--store", store, "--role", "sealer", "--key-file", key])
        let document = try EnrollmentDocument(
            publicKey: P256.KeyAgreement.PrivateKey().publicKey, enrollmentSecret: SymmetricKey(size: .bits256),
            name: "benchmark")
        _ = try SealerStore(Store.open(directory: store)).enroll(document, replaces: nil, now: Int64(time(nil)))
        writeList(names, member: document.thumbprint.string)
        let cost = Child.run([keyctl, "provision", "--store", store, "--from", path("list")])
        unlink(path("list"))
        guard !isQuiet else { return }
        print("provision of \(names.count), one of \(names.stride) with a member: \(cost.description)")
        print("provision: \(cost.each(names.count))")
    }

    private func writeList(_ names: Names, member: String) {
        guard let file = fopen(path("list"), "w") else { fatal("the list cannot be written") }
        for number in 0..<names.count {
            let devices = names.hasMember(number) ? ",\"devices\":[\"\(member)\"]" : ""
            fputs("{\"conversation\":\"\(names.name(number))\"\(devices)}\n", file)
        }
        guard fclose(file) == 0 else { fatal("the list cannot be written") }
    }

    private func list() {
        for (what, number) in [("first", 0), ("middle", names.count / 2), ("last", max(0, names.count - 1_001))] {
            let cost = Child.run([keyctl, "--quiet", "list", "--store", path("large"), "--after", names.name(number)])
            print("list, \(what) thousand: \(text(cost.wall * 1e3, 1)) ms, at most \(text(Double(cost.peak) / 1024, 1)) MiB")
        }
    }

    private func status() {
        print("status: \(Child.run([keyctl, "status", "--store", path("large")]).description)")
        print("status --verify: \(Child.run([keyctl, "status", "--verify", "--store", path("large")]).description)")
    }

    private func rotateAlone() {
        let database = path("large/\(StoreConfiguration.standardAccessGroup)/store.sqlite")
        let bare = [false, true].map { withEntries in
            (path: path("bare-\(withEntries).sqlite"), withEntries: withEntries)
        }
        for copy in bare { Child.run(["/bin/cp", database, copy.path]) }
        let before = Self.generation(database)
        let rotation = Child.run([keyctl, "rotate", "--all", "--store", path("large")])
        let batch = max(1, names.count / max(1, Self.generation(database) - before))
        print("rotate --all of \(names.count), about \(batch) in a transaction: \(rotation.description)")
        print("rotate --all: \(rotation.each(names.count))")
        for copy in bare {
            let what = copy.withEntries ? "bare updates, each with a row of the audit log" : "bare updates"
            let (cost, count) = BareUpdates(path: copy.path, batch: batch, withEntries: copy.withEntries).run()
            print("\(what): \(cost.each(count))")
            print(
                "rotate --all to \(what): time \(text(rotation.wall / cost.wall)), CPU \(text(rotation.cpu / cost.cpu))"
                    + (copy.withEntries ? "" : " (aim 2)"))
            for suffix in ["", "-wal", "-shm"] { unlink(copy.path + suffix) }
        }
    }

    private func rotateBesideSealing() {
        let stop = path("stop")
        let sealing = Child(
            [Self.program, "seal", path("large"), String(names.count), String(names.stride), stop], output: path("seals"))
        let rotation = Child.run([keyctl, "rotate", "--all", "--store", path("large")])
        guard let file = fopen(stop, "w"), fclose(file) == 0 else { fatal("the sealing cannot be stopped") }
        _ = sealing.wait()
        print("rotate --all beside sealing: \(rotation.description)")
        if let seals = fopen(path("seals"), "r") {
            var line = [CChar](repeating: 0, count: 400)
            if fgets(&line, Int32(line.count), seals) != nil {
                print("seals meanwhile: " + String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init), as: UTF8.self))
            }
            fclose(seals)
        }
        unlink(stop)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private static let program = "/proc/self/exe"

    private static func generation(_ database: String) -> Int {
        BareDatabase(database).number("SELECT generation FROM housekeeping")
    }
}
