#!/usr/bin/env python3
"""check-links.py FOLDER: every link of the site's pages leads to a file of the site, and to an anchor in it."""

import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r'(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'(?:id|name)="([^"]*)"')


def main():
    site = Path(sys.argv[1]).resolve()
    # Doxygen's pages link among themselves by rules of their own; mkdocs' pages are ours.
    pages = [page for page in site.rglob("*.html") if "reference/html" not in page.as_posix() and page.name != "explorer.html"]
    anchors = {page: set(map(unescape, ANCHOR.findall(page.read_text(encoding="utf-8")))) for page in pages}
    problems = links = 0
    for page in pages:
        for link in map(unescape, LINK.findall(page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:|//|#?$", link):
                continue
            links += 1
            target, _, anchor = unquote(link).partition("#")
            target = target.partition("?")[0]
            file = page if not target else (site / target[1:] if target.startswith("/") else page.parent / target).resolve()
            if file.is_dir():
                file = file / "index.html"
            if not file.exists():
                problems += 1
                print(f"{page.relative_to(site)}: {link} leads nowhere")
            elif anchor and file in anchors and anchor not in anchors[file]:
                problems += 1
                print(f"{page.relative_to(site)}: {link}: no such place on that page")
    print(f"{len(pages)} pages, {links} links, {problems} problems")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
