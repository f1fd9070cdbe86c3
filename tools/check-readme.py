#!/usr/bin/env python3
"""Code shown in README.md is code that is compiled and run.

Every ```cpp block of the README must appear, line by line, in one of the examples, between the
lines `// [readme]` and `// [/readme]` (indentation of the region is removed).
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGION = re.compile(r"^[ ]*// \[readme\]\n(.*?)^[ ]*// \[/readme\]\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    regions = {textwrap.dedent(region): file.name for file in sorted((ROOT / "examples").glob("*.cpp"))
               for region in REGION.findall(file.read_text(encoding="utf-8"))}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [(readme[:found.start()].count("\n") + 1, found.group(1)) for found in BLOCK.finditer(readme)]
    strays = [line for line, text in blocks if text not in regions]
    for line in strays:
        print(f"README.md:{line}: this code is in no example (between // [readme] and // [/readme])")
    for text in regions.keys() - {text for _, text in blocks}:
        print(f"examples/{regions[text]}: this region is not in README.md")
        strays.append(0)
    print(f"{len(blocks)} blocks of code in README.md, {len(regions)} regions in examples/")
    return 1 if strays or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
