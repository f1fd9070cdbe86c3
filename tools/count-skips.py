#!/usr/bin/env python3
"""Counts the cases that a run of ctest skipped, which ctest itself calls passed.

Usage: count-skips.py LOG

LOG is Testing/Temporary/LastTest.log below the build folder. Prints one line: how many cases of how
many were skipped, and in which tests.
"""

import re
import sys
from pathlib import Path

TEST = re.compile(r"^\d+/\d+ Testing: (.+)$", re.MULTILINE)
# What GoogleTest, Python's unittest and ctest say.
GTEST_RAN = re.compile(r"^\[=+\] (\d+) tests? from .* ran\.", re.MULTILINE)
GTEST_SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?[.,]", re.MULTILINE)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_SKIPPED = re.compile(r"^OK \((?:.*, )?skipped=(\d+)", re.MULTILINE)
CTEST_SKIPPED = re.compile(r"^Test (?:Skipped|Not Run)", re.MULTILINE)


def count(log):
    """{test: (cases, skipped)} of every test in the log of ctest."""
    found = {}
    starts = list(TEST.finditer(log))
    for start, following in zip(starts, [*starts[1:], None]):
        text = log[start.end():following.start() if following else len(log)]
        cases = sum(int(n) for pattern in (GTEST_RAN, UNITTEST_RAN) for n in pattern.findall(text))
        skipped = sum(int(n) for pattern in (GTEST_SKIPPED, UNITTEST_SKIPPED)
                      for n in pattern.findall(text))
        if CTEST_SKIPPED.search(text):
            cases, skipped = max(cases, 1), max(cases, 1)
        found[start.group(1)] = (max(cases, 1), skipped)
    return found


def closing_line(log):
    found = count(log)
    skipped = {name: n for name, (_, n) in found.items() if n > 0}
    total = sum(cases for cases, _ in found.values())
    if not skipped:
        return f"skipped: none of {total:,} cases"
    where = ", ".join(f"{n:,} in {name}" for name, n in skipped.items())
    return f"skipped: {sum(skipped.values()):,} of {total:,} cases ({where})"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(closing_line(Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace")))
