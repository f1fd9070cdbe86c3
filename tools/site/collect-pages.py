#!/usr/bin/env python3
"""collect-pages.py FOLDER: the documents as mkdocs takes them.

docs/ is copied; README.md becomes index.md, and the other documents of the root stand beside it. Links to files
outside of these become plain text: the site has no sources.
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?[^)]*\)")
EXPLORER = """# The performance explorer

[Open the explorer](explorer.html) with the committed results: rates, speed-ups, profiles, rooflines, every matrix, the papers' figures.
`gossamer explore` makes such a page from your own results.
"""


def targets():
    """Where each document goes, as {path in the repository: path in the site}."""
    found = {path: path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*") if path.is_file()}
    found[ROOT / "docs" / "README.md"] = Path("overview.md")
    for path in ROOT.glob("*.md"):
        found[path] = Path("index.md" if path.name == "README.md" else path.name)
    found[ROOT / "tests" / "data" / "README.md"] = Path("matrices.md")
    return found


def rewritten(path, where):
    def link(found):
        picture, text, target, anchor = found.groups()
        source = Path(os.path.normpath(path.parent / target))
        if source.is_dir() and (source / "README.md") in where:
            source = source / "README.md"
        if source not in where:
            return f"{text} (`{os.path.relpath(source, ROOT)}`)" if not picture else text
        leads = os.path.relpath(where[source], where[path].parent)
        return f"{picture}[{text}]({leads}{anchor or ''})"

    return LINK.sub(link, path.read_text(encoding="utf-8"))


def main():
    pages, where = Path(sys.argv[1]), targets()
    for path, name in where.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            (pages / name).write_text(rewritten(path, where), encoding="utf-8")
        else:
            shutil.copy(path, pages / name)
    (pages / "explorer.md").write_text(EXPLORER, encoding="utf-8")
    # The page itself and Doxygen's come after mkdocs has run; it asks for what its pages link to.
    reference = pages / "reference" / "README.md"
    reference.write_text(reference.read_text(encoding="utf-8") + "\n[Open the reference](html/index.html)\n", encoding="utf-8")
    (pages / "reference" / "html").mkdir()
    for name in ("explorer.html", "reference/html/index.html"):
        (pages / name).write_text("", encoding="utf-8")


if __name__ == "__main__":
    main()
