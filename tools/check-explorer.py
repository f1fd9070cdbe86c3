#!/usr/bin/env python3
"""The explorer's page that is shipped belongs to its sources.

Usage: check-explorer.py [--build]

The page names the digest of the sources it was built from; this program computes it again. With
--build the page is built once more and compared byte by byte: 77 (skipped) where Node.js or npm's
packages are missing. `npm run build --prefix explorer` writes the page.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "explorer"
PAGE = ROOT / "dist" / "explorer.html"
REMEDY = "run: npm ci --prefix explorer && npm run build --prefix explorer"


def source_files():
    """As sourceFiles() of vite.config.ts lists them."""
    names = ["index.html", "package-lock.json", "package.json", "vite.config.ts"]
    names += [file.relative_to(ROOT).as_posix() for file in (ROOT / "src").rglob("*") if file.is_file()]
    return sorted(names)


def digest_of_sources():
    digest = hashlib.sha256()
    for name in source_files():
        digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return digest.hexdigest()


def check_digest():
    page = PAGE.read_text(encoding="utf-8")
    named = re.search(r'<meta name="gossamer-sources" content="(\w+)">', page)
    if not named:
        yield f"{PAGE} does not name the sources it was built from; {REMEDY}"
    elif named.group(1) != digest_of_sources():
        yield f"{PAGE} was built from other sources than those in explorer/; {REMEDY}"
    if not page.isascii():
        yield f"{PAGE} is not ASCII, so CMake cannot cut it into pieces"
    if "<!--gossamer:data-->" not in page:
        yield f"{PAGE} has no place for results"


def check_lock():
    lock = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    if '"resolved"' in lock:
        yield "explorer/package-lock.json names a registry; npm install --omit-lockfile-registry-resolved leaves it out"


def check_build():
    if not (ROOT / "node_modules" / "vite").is_dir():
        print("SKIPPED: explorer/node_modules is missing (npm ci --prefix explorer)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["npx", "vite", "build", "--outDir", folder, "--emptyOutDir"], cwd=ROOT,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            yield f"vite build failed:\n{done.stdout}"
        elif Path(folder, "explorer.html").read_bytes() != PAGE.read_bytes():
            yield f"{PAGE} is not what its sources give; {REMEDY}"
    types = subprocess.run(["npx", "tsc", "--noEmit"], cwd=ROOT, text=True, stdout=subprocess.PIPE)
    if types.returncode != 0:
        yield f"TypeScript finds mistakes:\n{types.stdout}"


def main():
    problems = [*check_digest(), *check_lock()]
    if sys.argv[1:] == ["--build"]:
        problems += check_build()
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
