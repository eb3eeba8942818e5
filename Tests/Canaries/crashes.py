"""Programs of ours that somebody else's signal ends: nothing about their memory may be printed, and no core be left.

The backtracer is asked for in their environment, core dumps are allowed by their limits: both are theirs to turn off.
"""

import fcntl
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import recording

SIGNALS = [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE, signal.SIGQUIT, signal.SIGSYS]
# What the runtime says at the start of a program that was asked for backtraces where it finds no backtracer; the service's log.
HARMLESS = re.compile(rb"^(?:swift runtime: |\{\"time\":)[^\n]*\n", re.M)


def backtracer():
    """The value of SWIFT_BACKTRACE that has a crash print all it can."""
    value = "enable=yes,color=no,interactive=no,threads=all,registers=all,images=all"
    swift = shutil.which("swift")
    if swift:
        for name in ("swift-backtrace", "swift-backtrace-static"):
            path = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(swift))), "libexec/swift/linux", name)
            if os.path.exists(path):
                return "%s,swift-backtrace=%s" % (value, path)
    return value


class Program:
    """One program in one situation; `start` makes a fresh process of it that waits, or works for long."""

    # Streams on which it prints by itself.
    prints = ()

    def __init__(self, name, folder):
        self.name, self.folder = name, folder

    def command(self, folder):
        """(words, other arguments of Popen, descriptors to close when it has gone)"""
        raise NotImplementedError

    def is_ready(self, process):
        raise NotImplementedError

    def crash(self, number):
        """What is wrong with how it ends by the signal; None when nothing is."""
        folder = tempfile.mkdtemp(dir=self.folder)
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "SWIFT_BACKTRACE": backtracer(), "LANG": "C.UTF-8"}
        words, more, closes = self.command(folder)
        environment.update(more.pop("environment", {}))
        prepare = more.pop("prepare", lambda: None)

        def preexec():
            allow_core_dumps()
            prepare()

        with open(os.path.join(folder, "out"), "wb") as out, open(os.path.join(folder, "err"), "wb") as err:
            process = subprocess.Popen(
                words, stdout=out, stderr=err, env=environment, cwd=folder, preexec_fn=preexec, **{"stdin": subprocess.DEVNULL, **more})
        try:
            return self.judge(process, number, folder)
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()
            for it in closes:
                os.close(it)
            shutil.rmtree(folder)

    def judge(self, process, number, folder):
        if not eventually(lambda: self.is_ready(process.pid), lambda: ended(process) is None):
            return "it did not get so far that it could be crashed"
        os.kill(process.pid, number)
        eventually(lambda: ended(process) is not None)
        status = ended(process)
        if status is None:
            return "it outlived the signal"
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != number:
            return "it ended with status %d and not by the signal" % status
        if os.WCOREDUMP(status) or any(name.startswith("core") for name in os.listdir(folder)):
            return "it left a core"
        for stream in ("out", "err"):
            with open(os.path.join(folder, stream), "rb") as file:
                printed = HARMLESS.sub(b"", file.read())
            if printed and stream not in self.prints:
                return "it printed %d bytes on std%s" % (len(printed), stream)
        return None


class Waiting(Program):
    """A program that waits for input on a pipe, on standard input or as a passphrase."""

    def __init__(self, name, folder, program, words, by_passphrase, has_store, prints=()):
        super().__init__(name, folder)
        self.program, self.words, self.by_passphrase, self.has_store, self.prints = program, words, by_passphrase, has_store, prints

    def command(self, folder):
        reading, writing = os.pipe()
        more = {"environment": {"WAXWING_SESSION_HOLDER": "agent"}}
        words = [self.program, *(word.replace("{}", folder) for word in self.words)]
        if self.by_passphrase:
            return [*words, "--passphrase-fd", str(reading)], {**more, "pass_fds": (reading,)}, (reading, writing)
        return words, {**more, "stdin": reading}, (reading, writing)

    def is_ready(self, process):
        return is_asleep(process, "pipe") and (not self.has_store or maps_generation_file(process))


class Agent(Program):
    """The session agent, started with the three descriptors that it expects, and with its output where it can be seen."""

    def __init__(self, name, folder, keyctl):
        super().__init__(name, folder)
        self.keyctl = keyctl

    def command(self, folder):
        # The address of a socket is short; the folder need not be.
        directory = os.open(folder, os.O_RDONLY)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind("/proc/self/fd/%d/agent.sock" % directory)
        listener.listen()
        lock = os.open(os.path.join(folder, "agent.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        descriptors = [fcntl.fcntl(it, fcntl.F_DUPFD_CLOEXEC, 64) for it in (listener.fileno(), lock, directory)]
        for it in (lock, directory):
            os.close(it)
        listener.close()

        def prepare():
            for target, it in enumerate(descriptors, 3):
                os.dup2(it, target, inheritable=True)

        return [self.keyctl, "session-agent"], {"prepare": prepare, "pass_fds": (3, 4, 5)}, descriptors

    def is_ready(self, process):
        return is_asleep(process, "poll")


class Extension(Program):
    """The process of a simulated extension, with the three sockets that it expects, waiting for its order."""

    def __init__(self, name, folder, program):
        super().__init__(name, folder)
        self.program = program

    def command(self, folder):
        pairs = [socket.socketpair() for _ in range(3)]
        descriptors = [fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 64) for _, theirs in pairs]
        ours = [os.dup(own.fileno()) for own, _ in pairs]
        for own, theirs in pairs:
            own.close()
            theirs.close()

        def prepare():
            for target, it in enumerate(descriptors, 3):
                os.dup2(it, target, inheritable=True)

        return [self.program], {"prepare": prepare, "pass_fds": (3, 4, 5)}, descriptors + ours

    def is_ready(self, process):
        return is_asleep(process, "unix")


class Service(Program):
    """The sealing service, with keys in its memory, waiting for requests."""

    def __init__(self, name, folder, program, store):
        super().__init__(name, folder)
        self.program, self.store = program, store

    def command(self, folder):
        place = {"unix": os.path.join(folder, "s"), "allow": [{"uid": os.geteuid(), "scopes": ["seal"]}]}
        configuration = os.path.join(folder, "configuration")
        with open(configuration, "w", encoding="utf-8") as file:
            json.dump({"store": self.store, "listen": [place]}, file)
        return [self.program, "--config", configuration], {}, ()

    def is_ready(self, process):
        return maps_generation_file(process) and os.path.exists(os.path.join(os.readlink("/proc/%d/cwd" % process), "s"))


class Working(Program):
    """A program that is busy for longer than the test takes."""

    prints = ("out",)

    def __init__(self, name, folder, words, has_store):
        super().__init__(name, folder)
        self.words, self.has_store = words, has_store

    def command(self, folder):
        return [word.replace("{}", folder) for word in self.words], {}, ()

    def is_ready(self, process):
        if self.has_store:
            return maps_generation_file(process)
        with open("/proc/%d/stat" % process) as file:
            user_time = int(file.read().rsplit(")", 1)[1].split()[11])
        return user_time >= os.sysconf("SC_CLK_TCK") // 5


def ended(process):
    """The status as wait(2) gives it; None while it lives."""
    if process.returncode is None:
        number, status = os.waitpid(process.pid, os.WNOHANG)
        if number == 0:
            return None
        process.returncode = os.waitstatus_to_exitcode(status)
        process.raw_status = status
    return process.raw_status


def eventually(is_so, may_go_on=lambda: True):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and may_go_on():
        if is_so():
            return True
        time.sleep(0.01)
    return False


def is_asleep(process, call):
    """Whether a process waits, in that call of the kernel as far as we are told."""
    try:
        with open("/proc/%d/stat" % process) as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
        with open("/proc/%d/wchan" % process) as file:
            where = file.read()
    except OSError:
        where = ""
    return state == "S" and (call in where or where in ("", "0"))


def maps_generation_file(process):
    """Whether a process has the file mapped for which it handles SIGBUS; that it has when we may not look."""
    try:
        with open("/proc/%d/maps" % process) as file:
            return any(line.rstrip().endswith("/generation") for line in file)
    except OSError:
        return True


def allow_core_dumps():
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        pass  # who may not raise the limit has none to turn off


class Stores:
    """A backend that knows its key file, with a conversation, and a phone with a passphrase, whose keys an agent holds."""

    passphrase = b"a passphrase of no worth"
    # The first that million-benchmark seals to.
    conversation = "conversation-00000000"

    def __init__(self, folder, keyctl):
        self.folder, self.keyctl = folder, keyctl
        self.backend, self.phone = os.path.join(folder, "backend"), os.path.join(folder, "phone")
        self.run("init", "--store", self.backend, "--role", "sealer", "--key-file", os.path.join(folder, "key"))
        self.run("init", "--store", self.phone, "--role", "device", "--argon2id", "1,8", passphrase=True)
        document = os.path.join(folder, "enrollment.json")
        with open(document, "wb") as file:
            file.write(self.run("device", "new", "--store", self.phone, "--name", "phone"))
        device = self.run("device", "enroll", "--store", self.backend, document).decode().strip()
        self.run("provision", "--store", self.backend, "--conversation", self.conversation, "--device", device)

    def run(self, *words, passphrase=False, is_asked=True, prepare=None):
        words = [self.keyctl, *words]
        descriptors = ()
        if passphrase:
            reading, writing = os.pipe()
            os.write(writing, self.passphrase)
            os.close(writing)
            words += ["--passphrase-fd", str(reading)]
            descriptors = (reading,)
        finished = subprocess.run(
            words, env={"WAXWING_SESSION_HOLDER": "agent", "HOME": self.folder, "SWIFT_BACKTRACE": backtracer()}, stdin=subprocess.DEVNULL,
            capture_output=True, check=True, pass_fds=descriptors, cwd=self.folder, preexec_fn=prepare)
        for it in descriptors:
            os.close(it)
        return finished.stdout

    def crash_agent(self, number):
        """The agent that unlocking starts, which has no output; it must end by the signal and leave no core."""
        before = set(os.listdir(self.folder))
        self.run("lock", "--store", self.phone, "--restart")
        self.run("unlock", "--store", self.phone, passphrase=True, prepare=allow_core_dumps)
        agents = [process for process in recording.children() if b"session-agent" in recording.command_line(process)]
        if len(agents) != 1:
            return "there are %d agents" % len(agents)
        os.kill(agents[0], number)
        ending = []
        if not eventually(lambda: ending.append(os.waitpid(agents[0], os.WNOHANG)) or ending[-1][0]):
            return "it outlived the signal"
        status = ending[-1][1]
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != number:
            return "it ended with status %d and not by the signal" % status
        if os.WCOREDUMP(status) or any(name.startswith("core") for name in set(os.listdir(self.folder)) - before):
            return "it left a core"
        return None

    def close(self):
        self.run("lock", "--store", self.phone, "--restart")


def programs(folder, keyctl, others, stores):
    """Every program of ours in every situation in which it can be made to wait with keys in its memory."""
    unlock = ("unlock", "--store", stores.phone)
    yield Waiting("keyctl that asks for a new passphrase", folder, keyctl, ("init", "--role", "device", "--store", "{}/store"), True, False)
    yield Waiting("keyctl that has a store open and asks for its passphrase", folder, keyctl, unlock, True, True)
    yield Waiting("keyctl that has a store open and waits for a push", folder, keyctl, ("open", "--store", stores.phone), False, True)
    yield Waiting("keyctl that waits for a secret document", folder, keyctl, ("split", "add", "--store", stores.phone), False, False)
    yield Agent("the session agent", folder, keyctl)
    if others.get("waxwing-extension"):
        yield Extension("waxwing-extension that waits for its order", folder, others["waxwing-extension"])
    if others.get("sealerd"):
        yield Service("sealerd that waits for requests", folder, others["sealerd"], stores.backend)
    if others.get("seal-worker"):
        words = (stores.backend, "doubling")
        yield Waiting("seal-worker that has a store open", folder, others["seal-worker"], words, False, True, prints=("out",))
    if others.get("keychain-probe"):
        yield Waiting("keychain-probe that waits for a command", folder, others["keychain-probe"], (stores.phone,), False, False)
    if others.get("crash-worker"):
        # No fault comes so late, and after it the process waits to be told how to go on.
        words = (others["crash-worker"], stores.folder, "idle", "full", "1000000")
        yield Waiting("crash-worker that has a store open", folder, words[0], words[1:], False, True, prints=("out",))
    if others.get("seal-benchmark"):
        yield Working("seal-benchmark that seals", folder, (others["seal-benchmark"], "60"), True)
    if others.get("million-benchmark"):
        words = (others["million-benchmark"], "seal", stores.backend, "1", "1", "{}/stop")
        yield Working("million-benchmark that seals", folder, words, True)
    if others.get("session-probe"):
        yield Working("session-probe", folder, probe(others["session-probe"]), False)


def probe(program):
    """Words with which session-probe is busy for a minute."""
    moment = str(int(time.time() * 1000) + 60_000)
    return (program, "--at", moment, "00" * 16, "{}", "-", "name")


def printed_without_hardening(folder, program):
    """The number of bytes that the backtracer prints of a program that lets it."""
    words = [program, "--unhardened", "00" * 16, folder, "-", "crash"]
    finished = subprocess.run(words, env={"SWIFT_BACKTRACE": backtracer(), "HOME": folder}, stdin=subprocess.DEVNULL, capture_output=True)
    printed = HARMLESS.sub(b"", finished.stderr)
    return len(printed) if b"Backtrace" in printed or b"Crash" in printed or b"crashed" in printed else 0
