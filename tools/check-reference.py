#!/usr/bin/env python3
"""Every public declaration is documented in its header.

Usage: check-reference.py [--members]

Doxygen reads include/gossamer; a class, struct, enumeration, concept, function, type or constant of a namespace
without a description is an error (gossamer::detail is internal). Overloads that follow a documented one without
a blank line are described by it, and so are members whose names say all of it, by their class; --members lists
those. Exit code 77, skipped, where Doxygen is missing.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = """
PROJECT_NAME = Gossamer
INPUT = {root}/include/gossamer {folder}/namespaces.dox
STRIP_FROM_PATH = {root}
OUTPUT_DIRECTORY = {folder}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
QUIET = YES
WARN_IF_UNDOCUMENTED = YES
WARN_NO_PARAMDOC = NO
EXCLUDE_SYMBOLS = gossamer::detail gossamer::detail::* gossamer::*::detail
"""
# Doxygen asks for the members of a namespace only where the namespace is described.
NAMESPACES = """/** \\namespace gossamer
 * The library. */
/** \\namespace gossamer::generate
 * Test matrices. */
/** \\namespace gossamer::amg
 * Algebraic multigrid. */
"""
WARNING = re.compile(r"^(?:.*/)?(include/gossamer/\S+):(\d+): warning: (.*) is not documented\.$")


def undocumented():
    """(file, line, what) of every declaration that Doxygen finds without a description."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "Doxyfile")
        settings.write_text(SETTINGS.format(root=ROOT, folder=folder), encoding="utf-8")
        Path(folder, "namespaces.dox").write_text(NAMESPACES, encoding="utf-8")
        done = subprocess.run(["doxygen", str(settings)], text=True, check=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
    for line in done.stderr.splitlines():
        if found := WARNING.match(line):
            yield found.group(1), int(found.group(2)), found.group(3)


def described_above(file, line):
    """Whether the declaration continues a block of declarations that begins with a `///`."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    for text in reversed(lines[:line - 1]):
        if not text.strip():
            return False
        if text.strip().startswith("///"):
            return True
    return False


# Described together with the declaration before, a blank line between.
TOGETHER = {"width_of"}


def declared_above(file, line, what):
    """Whether an overload of that name is described earlier in the file."""
    name = re.match(r"Member (?:operator\s*)?([\w]+)", what).group(1)
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()[:line - 1]
    return name in TOGETHER or any(re.search(rf"\b{name}\(", text) and described_above(file, number)
                                   for number, text in enumerate(lines, 1))


def main():
    if not shutil.which("doxygen"):
        print("SKIPPED: there is no doxygen")
        return 77
    members = problems = 0
    for file, line, what in undocumented():
        inside = re.search(r" of (class|struct|union) ", what)
        if inside and what.startswith("Member"):
            members += 1
            if sys.argv[1:] == ["--members"]:
                print(f"{file}:{line}: {what} is described by its class only")
        elif not described_above(file, line) and not (what.startswith("Member")
                                                      and declared_above(file, line, what)):
            problems += 1
            print(f"{file}:{line}: {what} is not documented")
    print(f"{problems} problems; {members} members that are described by their class only")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
