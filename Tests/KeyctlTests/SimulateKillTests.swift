import Foundation
import Testing

/// The simulation is interrupted and killed: nothing is left of it, and nothing is lost.
@Suite struct SimulateKillTests {
    /// Starts the command, waits until its state is the one that is asked for, sends the signal, and says how it ended.
    private static let driver = """
        import fcntl, glob, os, signal, subprocess, sys, time
        number, wanted, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
        def until(what):
            end = time.monotonic() + 60
            while not what():
                if time.monotonic() > end: sys.exit("nothing came of it")
                time.sleep(0.002)
        # A pipe that nobody reads and that is full.
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True: os.write(writer, b"x" * 4096)
        except BlockingIOError: pass
        os.set_blocking(writer, True)
        process = subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE)
        children = lambda: open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()
        until(children)
        child = children()[0]
        if wanted == "shown":
            def told():
                try: return '"delivered"' in open("phone/container/telemetry.ndjson").read()
                except FileNotFoundError: return False
            until(told)
            # Where it waits for the reader.
            until(lambda: "S" == open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()[0])
        os.kill(process.pid, number)
        error = process.communicate()[1]
        def is_gone():
            # Who takes over the children of the dead may be in no hurry to ask after them.
            try: return open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] in "ZX"
            except (FileNotFoundError, ProcessLookupError): return True
        until(is_gone)
        sys.stderr.buffer.write(error)
        open("killed", "w").write(str(process.pid))
        print(process.returncode, len(glob.glob(f"/sys/fs/cgroup/**/waxwing-{process.pid}-*", recursive=False)))
        """

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]) func aSignalEndsItInOrder(_ number: Int32) throws {
        let stores = try TestStores()
        try stores.place.write(Self.driver, to: "driver.py")
        try stores.place.write("#!/bin/sh\nexec sleep 1000\n", to: "waxwing-extension")
        _ = try stores.ends(
            "mkdir own && cp \"$(readlink -f \"$(command -v keyctl)\")\" own/keyctl && mv waxwing-extension own && chmod 755 own/*", 0)
        let finished = try stores.ends("python3 driver.py \(number) started own/keyctl simulate --quiet --store phone push", 0)
        #expect(finished.outputText == "75 0\n")
        #expect(finished.errorText.contains(/keyctl: error: interrupted after \d+ seconds\n/), "\(finished.errorText)")
    }

    /// Killed with the notification in its hands and before anybody has it: its extension ends, and the message waits.
    @Test func whatAKilledSimulationHasNotShownWaits() throws {
        let stores = try TestStores()
        try stores.place.write(Self.driver, to: "driver.py")
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        let finished = try stores.ends("python3 driver.py \(SIGKILL) shown keyctl simulate --quiet --store phone push", 0)
        #expect(finished.outputText.hasPrefix("-9 "))
        _ = try stores.ends("test $(ls phone/container/queue | grep -c '[.]begun$') = 1 && ! test -e phone/container/queue/shown", 0)
        // It opened before, and makes no sound for that; it is no reason to hold it back.
        let again = try stores.ends("keyctl simulate --quiet --json --can-suppress --store phone push", 0)
        #expect(again.outputText.contains("\"suppressible\":false"))
        // The next one removes what the kernel has kept of it.
        _ = try stores.ends("! ls -d /sys/fs/cgroup/memory/waxwing-* /sys/fs/cgroup/waxwing-* | grep \"waxwing-$(cat killed)-\"", 0)
    }

    @Test func whatCannotBePrintedWaits() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl accept --store phone bundles", 0)
        _ = try stores.ends("keyctl simulate --quiet --store phone push > /dev/full", 74)
        _ = try stores.ends("test $(ls phone/container/queue | grep -c '[.]begun$') = 1 && ! test -e phone/container/queue/shown", 0)
    }
}
