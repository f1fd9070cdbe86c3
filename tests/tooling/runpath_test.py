"""No program or library looks for its libraries where it happens to be started.

The loader reads an empty element of RUNPATH as the current directory, and a relative one from there: a
libz.so.1 beside somebody's matrices would be executed. Usage: runpath_test.py FOLDER
"""

import pathlib
import re
import subprocess
import sys


def elements(text):
    """Elements of RPATH and RUNPATH in the output of readelf -d."""
    found = re.findall(r"\((?:RPATH|RUNPATH)\).*?\[(.*)\]", text)
    return [element for path in found for element in path.split(":")]


def is_safe(element):
    return element.startswith(("/", "$ORIGIN", "${ORIGIN}"))


def is_elf(file):
    if file.is_symlink() or not file.is_file():
        return False
    with open(file, "rb") as stream:
        return stream.read(4) == b"\x7fELF"


def dynamic_section(file):
    done = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=False)
    return done.stdout


def check_itself():
    line = " 0x1d (RUNPATH)  Library runpath: [{}]\n"
    assert elements(line.format("/a:$ORIGIN/../lib")) == ["/a", "$ORIGIN/../lib"]
    for bad in ("", "/a:", ":/a", "::", "lib", "/a:./lib"):
        assert not all(is_safe(e) for e in elements(line.format(bad))), bad
    assert elements("no dynamic section") == []


def main():
    check_itself()
    folder = pathlib.Path(sys.argv[1])
    # Consumers are built and removed while this runs; they are looked at where they are installed.
    skipped = folder / "tests" / "consumer"
    files = [f for f in folder.rglob("*")
             if f.suffix != ".o" and skipped not in f.parents and is_elf(f)]
    if not files:
        sys.exit(f"{folder}: no ELF file; was anything built?")
    bad = 0
    for file in files:
        for element in elements(dynamic_section(file)):
            if not is_safe(element):
                bad += 1
                print(f"{file}: RUNPATH has the element '{element}', read from the current directory")
    print(f"{len(files)} ELF files, {bad} unsafe elements")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
