"""What strace saw of a command: command lines and environments, names of files, and all that went out of the processes."""

import os
import re
import shutil
import subprocess

TRACED = (
    "execve,execveat,write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,sendmmsg,open,openat,openat2,creat,rename,renameat,"
    "renameat2,link,linkat,symlink,symlinkat,mkdir,mkdirat,setxattr,fsetxattr,add_key,connect,bind"
)
WRITES = {b"write", b"pwrite64", b"writev", b"pwritev", b"pwritev2", b"sendto", b"sendmsg", b"sendmmsg"}
CALL = re.compile(rb"^(\d+) +(\w+)\((.*)$")
STRING = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
DESCRIPTOR = re.compile(rb"^(\d+)<(.*?)>(?:\(deleted\))?, ")
# A file that was made without a name, O_TMPFILE, and where it is given one by linkat(2).
NAMELESS = re.compile(rb"/#\d+$")
NAMING = re.compile(rb"^[^,]*, [^,]*, \d+<(.*?)>, ")
AGENT_SOCKET = re.compile(rb"/proc/self/fd/\d+/\.?agent\.sock(?:\.[0-9a-f-]+)?")
EXECUTION = re.compile(rb'^(?:-?\w+(?:<[^>]*>)?, )?("[^"]*"), \[(.*?)\], \[(.*?)\]')


def decoded(string):
    return bytes.fromhex(string.replace(b"\\x", b"").decode("ascii"))


def plain(text):
    """strace's name of a descriptor without the escapes of -xx."""
    return re.sub(rb"(?:\\x[0-9a-f]{2})+", lambda m: decoded(m[0]), text)


def find_tracer(folder):
    """Words that have a command traced; None where strace is missing, or not root's: our processes let nobody else look."""
    program = shutil.which("strace")
    if program is None or os.geteuid() != 0:
        return None
    for more in (["--seccomp-bpf"], []):
        tracer = [program, "-D", "-f", *more, "-qq", "-v", "-yy", "-xx", "-s", "1048576", "-e", "signal=none", "-e", "trace=?" + TRACED.replace(",", ",?")]
        tried = subprocess.run([*tracer, "-o", os.path.join(folder, "probe"), "true"], stdin=subprocess.DEVNULL, capture_output=True)
        if tried.returncode == 0 and not tried.stderr:
            return tracer
    return None


class Trace:
    """The trace of one command."""

    def __init__(self, recorder, step, label):
        self.recorder, self.step, self.label = recorder, step, label

    def read(self, path):
        if os.path.exists(path):
            with open(path, "rb") as file:
                lines = file.readlines()
            self.names = self._names(lines)
            for line in lines:
                self._read_call(line)

    @staticmethod
    def _names(lines):
        """What files that were made without a name were called in the end."""
        names, nameless = {}, {}
        for line in lines:
            call = CALL.match(line)
            if not call:
                continue
            target = DESCRIPTOR.match(call[3]) if call[2] in WRITES else None
            if target:
                path = plain(target[2]).removesuffix(b" (deleted)")
                if NAMELESS.search(path):
                    nameless[call[1], target[1]] = path
            elif call[2] == b"linkat":
                strings = [decoded(string) for string, _ in STRING.findall(call[3])]
                place = NAMING.match(call[3])
                if place and len(strings) == 2 and strings[0].startswith(b"/proc/self/fd/"):
                    path = nameless.pop((call[1], strings[0].rsplit(b"/", 1)[1]), None)
                    if path:
                        names[path] = plain(place[1]) + b"/" + strings[1]
        return names

    def keep(self, kind, what, data):
        self.recorder.keep(kind, what, data, self.step)

    def fault(self, what):
        self.recorder.faults.append("step %d, %s: %s" % (self.step, self.label, what))

    def _read_call(self, line):
        call = CALL.match(line)
        if not call:
            return
        name, arguments = call[2], call[3]
        if any(cut for _, cut in STRING.findall(arguments)):
            self.fault("strace cut a string")
        if name in (b"execve", b"execveat"):
            parts = EXECUTION.match(arguments)
            if parts is None:
                self.fault("strace could not read a command line")
                return
            for kind, part in (("argv", parts[1] + b" " + parts[2]), ("environment", parts[3])):
                self.keep(kind, self.label, b"\0".join(decoded(string) for string, _ in STRING.findall(part)))
            return
        strings = [decoded(string) for string, _ in STRING.findall(arguments)]
        if name in WRITES:
            target = DESCRIPTOR.match(arguments)
            self._keep_write(plain(target[2]) if target else b"", b"".join(strings))
        elif name == b"add_key":
            self.keep("keyring", "names, " + self.label, b"\0".join(strings[:2]))
            self.keep("keyring", "a key, " + self.label, b"".join(strings[2:]))
        else:
            self.keep("file name", self.label, b"\0".join(strings))
            if name in (b"connect", b"bind"):
                if b"AF_UNIX" not in arguments or not AGENT_SOCKET.fullmatch(b"".join(strings)):
                    self.fault("a socket that is not the agent's")
            elif re.search(rb"O_(?:WRONLY|RDWR|CREAT)", arguments) or name == b"creat":
                self._check_opened(plain(arguments), strings)

    def _keep_write(self, target, data):
        path = target.removesuffix(b" (deleted)")
        path = self.names.get(path, path)
        if path.startswith(os.fsencode(self.recorder.private) + b"/"):
            return  # what is kept as stdout and stderr already
        if path.startswith(os.fsencode(self.recorder.folder) + b"/"):
            # The place is the file, so that what may be in it may be written to it.
            self.keep("file", os.fsdecode(os.path.relpath(path, os.fsencode(self.recorder.folder))), data)
        elif re.match(rb"[A-Z]|socket", target):
            self.keep("socket", "%s, %s" % ("unix" if target.startswith(b"UNIX") else "other", self.label), data)
        else:
            self.keep("write", "to %s, %s" % (os.fsdecode(target), self.label), data)

    def _check_opened(self, arguments, strings):
        """Nothing may be opened for writing outside of the folder."""
        opened = re.search(rb"= \d+<([^>]*)>", arguments)
        path = opened[1] if opened else b"".join(strings[:1])
        inside = [os.fsencode(folder) + b"/" for folder in (self.recorder.folder, self.recorder.private)]
        known = (b"/dev/tty", b"/dev/null", b"/dev/pts/", b"/proc/self/", b"/proc/thread-self/")
        if path.startswith(b"/") and not path.startswith((*inside, *known)):
            self.fault("%s was opened for writing" % os.fsdecode(path))
