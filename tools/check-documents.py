#!/usr/bin/env python3
"""What the documents show is what compiles and runs.

Usage: check-documents.py [--run GOSSAMER]

  code       every ```cpp block of README.md is, line by line, a region of an example, between the
             lines `// [readme]` and `// [/readme]`; and every region is shown (README.md
             may also show regions of the guide). So are the blocks of
             docs/guide/NAME.md, if an example has regions called `// [NAME]`
  commands   with --run, every line of a ```sh block of README.md, and of the hints at the end of
             ./quickstart, that starts with `gossamer ` is run with that program and must succeed
  kernels    with --run, the table of docs/kernels/README.md is the catalogue's own, printed again
             (a program without CUDA is not asked about its kernels)
  links      relative links of the documents lead to files that exist
  sources    a document that the comments of a source name exists, and has the words that they
             quote of it: docs/notes/spmv-cpu.md, "What a call costs"
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGION = re.compile(r"^ *// \[([\w-]+)\]\n(.*?)^ *// \[/\1\]\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(cpp|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)")
SOURCES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".py", ".cmake", ".sh", ".txt"}
WRAPPED = re.compile(r"\n *(?:///|//|#) *")
NAMED = re.compile(r"\b(docs/[\w/-]+\.md)(?:, \"([^\"]+)\")?")
HINT = re.compile(r"^ *(?:build/release/cli/)?(gossamer [^#\n]*?) *(?:#.*)?$", re.MULTILINE)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def regions_of_examples():
    """What the examples mark, as {document: {code: example}}."""
    marked = {"README.md": {}}
    for file in sorted((ROOT / "examples").glob("*.cpp")):
        for name, region in REGION.findall(file.read_text(encoding="utf-8")):
            document = "README.md" if name == "readme" else f"docs/guide/{name}.md"
            marked.setdefault(document, {})[textwrap.dedent(region)] = file.name
    return marked


def check_code():
    marked = regions_of_examples()
    for document, regions in marked.items():
        if not (ROOT / document).exists():
            yield f"{document} does not exist, but {', '.join(regions.values())} has code for it"
            continue
        text = (ROOT / document).read_text(encoding="utf-8")
        shown = {found.group(2): line_of(text, found.start())
                 for found in BLOCK.finditer(text) if found.group(1) == "cpp"}
        if not shown:
            yield f"{document}: no code is shown"
        if document == "README.md":  # it may show what a page of the guide shows
            known = {code for others in marked.values() for code in others}
        else:
            known = regions.keys()
        for code in shown.keys() - known:
            yield f"{document}:{shown[code]}: this code is in no example (between // [NAME] and // [/NAME])"
        for code in regions.keys() - shown.keys():
            yield f"examples/{regions[code]}: this region is not shown in {document}"


def check_links():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")]:
        text = document.read_text(encoding="utf-8")
        for found in LINK.finditer(text):
            if not (document.parent / found.group(1)).exists():
                yield (f"{document.relative_to(ROOT)}:{line_of(text, found.start())}: "
                       f"{found.group(1)} does not exist")


def check_sources():
    """Comments are read as one line, since they are wrapped within names and quotations."""
    for folder in ("include", "src", "cli", "bench", "tests", "tools", "cmake", "examples", "python"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in SOURCES or "node_modules" in file.parts or file == Path(__file__):
                continue
            text = WRAPPED.sub(" ", file.read_text(encoding="utf-8"))
            for found in NAMED.finditer(text):
                document, quoted = ROOT / found.group(1), found.group(2)
                if not document.exists():
                    yield f"{file.relative_to(ROOT)}: {found.group(1)} does not exist"
                elif quoted and quoted not in document.read_text(encoding="utf-8"):
                    yield f'{file.relative_to(ROOT)}: {found.group(1)} has no "{quoted}"'


def commands(readme):
    for found in BLOCK.finditer(readme):
        if found.group(1) == "sh":
            yield from HINT.findall(found.group(2))
    yield from HINT.findall((ROOT / "quickstart").read_text(encoding="utf-8"))


def check_commands(readme, program):
    """Runs the commands one after the other in one empty folder that sees the shipped matrices."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tests").mkdir()
        Path(folder, "tests", "data").symlink_to(ROOT / "tests" / "data")
        for command in commands(readme):
            done = subprocess.run([program, *shlex.split(command)[1:]], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            count += 1
            if done.returncode != 0:
                yield f"`{command}` ended with {done.returncode}:\n{textwrap.indent(done.stdout, '    ')}"
    print(f"{count} commands run")
    if count == 0:
        yield "README.md: no commands are shown"


def kernel_table(program):
    """The catalogue as the Markdown table of docs/kernels/README.md."""
    told = subprocess.run([program, "info", "--kernels", "--json"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    rows = ["| kernel | bitwise reproducible | what it does | after |",
            "| --- | --- | --- | --- |"]
    for kernel in json.loads(told)["kernels"]:
        same = "yes" if kernel["deterministic"] else "no"
        rows.append(f"| `{kernel['id']}` | {same} | {kernel['summary']} | {kernel['reference']} |")
    return "\n".join(rows) + "\n"


def check_kernels(program):
    table = kernel_table(program)
    shown = (ROOT / "docs/kernels/README.md").read_text(encoding="utf-8")
    if "/cuda`" not in table:  # a build without CUDA does not know these kernels
        shown = re.sub(r"^\| `[^`]*/cuda` .*\n", "", shown, flags=re.MULTILINE)
    if table not in shown:
        yield f"docs/kernels/README.md: the table is not the catalogue's; put this in:\n{table}"


def main():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    problems = [*check_code(), *check_links(), *check_sources()]
    if sys.argv[1:2] == ["--run"]:
        program = str(Path(sys.argv[2]).resolve())
        problems += [*check_commands(readme, program), *check_kernels(program)]
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
