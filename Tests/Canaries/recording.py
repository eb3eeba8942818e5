"""Runs programs and keeps everything they show: output, terminal, command lines, environments, every file at every step.

Where there is strace and root runs it, each command is traced, so that command lines and environments of all that is started, what
is written and deleted again, what goes over sockets and into the kernel's keyring, and names of files are kept too. Without it
/proc is read while a command runs.
"""

import collections
import ctypes
import fcntl
import itertools
import os
import pty
import select
import sqlite3
import stat
import subprocess
import termios
import time
from contextlib import contextmanager

import traces

CHUNK = 4096
OVERLAP = 128
SET_CHILD_SUBREAPER = 36


class Place:
    """Where something was seen: what sort of place, which, and at which step of the run."""

    def __init__(self, kind, what, step):
        self.kind, self.what, self.step = kind, what, step

    def __str__(self):
        return "%s of step %d, %s" % (self.kind, self.step, self.what)


class Finished:
    def __init__(self, status, stdout, stderr):
        self.status, self.stdout, self.stderr = status, stdout, stderr

    @property
    def line(self):
        return self.stdout.decode("utf-8").split("\n")[0]


def children():
    """The processes whose parent is this one."""
    found = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/children" % task) as file:
                found += [int(number) for number in file.read().split()]
        except OSError:
            continue
    return found


def command_line(process):
    try:
        with open("/proc/%d/cmdline" % process, "rb") as file:
            return file.read()
    except OSError:
        return b""


def adopt_orphans():
    """Agents and tracers come to us when the command that started them has gone."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bury_children():
    """Forgets those that have ended. Whether any is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def end_children():
    """Ends what is left of what this process started."""
    for process in children():
        os.kill(process, 9)
        os.waitpid(process, 0)


class Recorder:
    """`folder` is where the programs work, `private` where this test keeps what is no evidence."""

    def __init__(self, folder, private, program, secrets):
        self.folder, self.private, self.program, self.secrets = folder, private, program, secrets
        self.evidence = []
        self.stores = []
        self.faults = []
        self.show = False
        self.statuses = collections.Counter()
        self.step = 0
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": os.path.join(folder, "tmp"),
        }
        self.files_kept = 0
        self.commands = {}
        self._kept = set()
        self._states = {}
        os.mkdir(self.environment["TMPDIR"])
        self.tracer = traces.find_tracer(private)

    def keep(self, kind, what, data, step=None):
        data = bytes(data)
        if data and (kind, what, data) not in self._kept:
            self._kept.add((kind, what, data))
            self.evidence.append((Place(kind, what, self.step if step is None else step), data))

    # Running

    def run(self, words, stdin=b"", passphrase=None, label=None, environment=None, program=None, is_traced=True, verbose=True,
            killed_after=None, descriptors=None):
        """Runs keyctl, or another program, and keeps what there is to see; ends it after some seconds if asked to.

        `descriptors` has for options what is read from the descriptor that follows them.
        """
        words = list(words)
        opened = []
        if passphrase is not None:
            descriptors = {"--passphrase-fd": passphrase, **(descriptors or {})}
        for option, text in (descriptors or {}).items():
            reading, writing = os.pipe()
            os.write(writing, text + b"\n")
            os.close(writing)
            words += [option, str(reading)]
            opened.append(reading)
        if program is None and verbose:
            words.append("--verbose")
        with open(self._private("stdin"), "wb") as file:
            file.write(stdin)
        with open(self._private("stdin"), "rb") as file:
            process = self._start(words, file, program, environment, is_traced, label, pass_fds=opened)
        for descriptor in opened:
            os.close(descriptor)
        if killed_after is not None:
            time.sleep(killed_after)
            process.kill()
        return self._finish(process)

    def type(self, words, answers, label=None, environment=None):
        """Runs keyctl on a terminal of its own and types an answer at each prompt, whose last byte says how it ends."""
        master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        process = self._start([*words, "--verbose"], slave, None, environment, True, label, preexec_fn=take_terminal)
        os.close(slave)
        seen = b""
        waiting = list(answers)
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    seen += os.read(master, 4096)
                except OSError:
                    break
            if waiting and seen.count(b": ") > len(answers) - len(waiting):
                os.write(master, waiting.pop(0))
        while select.select([master], [], [], 0.05)[0]:
            try:
                seen += os.read(master, 4096)
            except OSError:
                break
        os.close(master)
        if waiting:
            self.faults.append("step %d, %s: asked %d times and not %d" % (
                self.step, self._label, len(answers) - len(waiting), len(answers)))
        self.keep("terminal", self._label, seen)
        return self._finish(process)

    def _start(self, words, stdin, program, environment, is_traced, label, **more):
        self.step += 1
        # What is told of a command may depend on what it answered.
        self._relabel = label
        self._label = label if isinstance(label, str) else " ".join(itertools.takewhile(lambda word: not word.startswith("-"), words[:2]))
        self.commands[self.step] = self._label
        command = [program or self.program, *words]
        if is_traced and self.tracer:
            command = [*self.tracer, "-o", self._private("trace-%d" % self.step), *command]
        surroundings = {**self.environment, **(environment or {})}
        with open(self._private("stdout"), "wb") as out, open(self._private("stderr"), "wb") as err:
            process = subprocess.Popen(
                command, stdin=stdin, stdout=out, stderr=err, env=surroundings, cwd=self.folder, **more)
        if not self.tracer:
            # There is nothing to read for a moment after exec, and when the process has ended.
            deadline = time.monotonic() + 0.1
            while not self._look_at(process.pid) and time.monotonic() < deadline:
                pass
        return process

    def _finish(self, process):
        if process.returncode is None:
            # Popen's own wait with a timeout looks only now and then.
            descriptor = os.pidfd_open(process.pid)
            if not select.select([descriptor], [], [], 60)[0]:
                process.kill()
                self.faults.append("step %d, %s: did not end" % (self.step, self._label))
            os.close(descriptor)
        status = process.wait()
        self.statuses[status] += 1
        results = []
        for stream in ("stdout", "stderr"):
            with open(self._private(stream), "rb") as file:
                results.append(file.read())
        if callable(self._relabel):
            self._label = self.commands[self.step] = self._relabel(results[0])
        for stream, data in zip(("stdout", "stderr"), results):
            self.keep(stream, self._label, data)
        bury_children()
        for child in children():
            if b"session-agent" in command_line(child):
                self._look_at(child)
        self.snapshot()
        self.collect()
        return Finished(status, *results)

    def _private(self, name):
        return os.path.join(self.private, name)

    # Processes

    def _look_at(self, process):
        """Keeps command line and environment; whether both were there."""
        seen = []
        for kind, name in (("argv", "cmdline"), ("environment", "environ")):
            try:
                with open("/proc/%d/%s" % (process, name), "rb") as file:
                    seen.append(file.read())
            except OSError:
                seen.append(b"")
            self.keep(kind, self._label, seen[-1])
        return all(seen)

    def wait_for_children(self):
        """Waits for agents and tracers; those that do not go are a fault, and are ended."""
        deadline = time.monotonic() + 20
        while bury_children() and time.monotonic() < deadline:
            time.sleep(0.02)
        for process in children():
            self.faults.append("still running: %s" % command_line(process).replace(b"\0", b" ")[:80].decode("utf-8", "replace"))
        end_children()

    # Files

    def snapshot(self):
        """Keeps every file there is, as far as it is new, and every name."""
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                self._keep_file(path, path[len(self.folder) + 1:])

    def _keep_file(self, path, what):
        try:
            status = os.lstat(path)
            if not stat.S_ISREG(status.st_mode):
                return
            state = (status.st_mtime_ns, status.st_size, status.st_ino)
            # Mapped files change without a sign.
            if self._states.get(path) == state and not path.endswith(("-shm", "generation")):
                return
            self._states[path] = state
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        self.files_kept += 1
        for start in range(0, max(1, len(data)), CHUNK):
            self.keep("file", what, data[start:start + CHUNK + OVERLAP])
        self.keep("file name", what, os.fsencode(what))

    @contextmanager
    def reader(self, store):
        """Reads a store all the while, so that its WAL and SHM files stay when a command has ended."""
        database = sqlite3.connect("file:%s?mode=ro" % store.database, uri=True, isolation_level=None)
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM store").fetchone()
        try:
            yield
        finally:
            database.execute("COMMIT")
            database.close()

    def collect(self):
        """Learns the secrets that the stores have now."""
        for store in self.stores:
            for secret in store.new_secrets():
                self.secrets.add_stored(*secret)

    def read_traces(self):
        """Keeps what strace saw, and takes for a fault what no program of ours does."""
        for step, label in self.commands.items():
            traces.Trace(self, step, label).read(self._private("trace-%d" % step))
