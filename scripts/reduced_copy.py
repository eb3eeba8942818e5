"""A private copy of the checkout, from which few targets are built.

  python3 scripts/reduced_copy.py NAME

brings .build/NAME/tree up to date and prints its path. The manifest there has the targets that WAXWING_REDUCED_TARGETS names in the
environment, and what those need.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys

# Put behind the copy's manifest: what the named targets need, and nothing else.
REDUCED = """
let roots = (Context.environment["WAXWING_REDUCED_TARGETS"] ?? "").split(separator: " ").map(String.init)
var kept: Set<String> = []
var open = roots
while let name = open.popLast() {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for dependency in target.dependencies {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
        default: break
        }
    }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
"""


def sources_of(root):
    """The files of a checkout as git sees them, untracked ones that are not ignored included."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE, check=True)
    return {p for p in listed.stdout.decode().split("\0") if p and os.path.isfile(os.path.join(root, p))}


class ReducedCopy:
    """The tree under .build/NAME, its manifest reduced; files can be changed there. One process at a time."""

    def __init__(self, root, name):
        self.root = root
        self.home = os.path.join(root, ".build", name)
        self.tree = os.path.join(self.home, "tree")
        os.makedirs(self.tree, exist_ok=True)
        self.lock = open(os.path.join(self.home, "lock"), "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("another run is at work in %s" % self.home)
        self.refresh()

    def refresh(self):
        """Brings the copy up to date; files that are the same keep their times, so that no more is built than must be."""
        paths = sources_of(self.root)
        for folder, _, names in os.walk(self.tree):
            for name in names:
                there = os.path.join(folder, name)
                if os.path.relpath(there, self.tree) not in paths:
                    os.remove(there)
        for path in paths:
            with open(os.path.join(self.root, path), "rb") as f:
                content = f.read()
            if path == "Package.swift":
                content = self.manifest(content.decode()).encode()
            there = os.path.join(self.tree, path)
            try:
                with open(there, "rb") as f:
                    is_same = f.read() == content
            except OSError:
                is_same = False
            if not is_same:
                os.makedirs(os.path.dirname(there), exist_ok=True)
                with open(there, "wb") as f:
                    f.write(content)
            shutil.copymode(os.path.join(self.root, path), there)

    @staticmethod
    def manifest(text):
        # What is changed may well leave a variable that is never read.
        strict = ".treatAllWarnings(as: .error)"
        if text.count(strict) != 1:
            sys.exit("the manifest no longer says %s once" % strict)
        return text.replace(strict, "") + REDUCED

    def folder(self, package):
        """Where a package of the copy is built."""
        return os.path.join(self.home, package)

    def build(self, package, targets, *options):
        """Whether these targets, and the tests among them, can be built, and what the build says is wrong."""
        command = ["swift", "build", "--package-path", self.tree, "--scratch-path", self.folder(package), "--build-tests", *options]
        environment = dict(os.environ, WAXWING_REDUCED_TARGETS=" ".join(targets))
        process = subprocess.Popen(
            command, env=environment, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output = process.communicate()[0]
        except BaseException:
            # Compilers that it started would go on.
            os.killpg(process.pid, signal.SIGKILL)
            raise
        lines = output.decode("utf-8", "replace").split("\n")
        wrong = dict.fromkeys(line for line in lines if re.search(r"\berror:", line) and not line.startswith(" "))
        return process.returncode == 0, "\n".join(list(wrong)[:20] or lines[-20:])

    def write(self, path, text):
        with open(os.path.join(self.tree, path), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, path):
        with open(os.path.join(self.tree, path), encoding="utf-8") as f:
            return f.read()


if __name__ == "__main__":
    print(ReducedCopy(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), sys.argv[1]).tree)
