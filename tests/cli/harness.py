"""What the tests of the command line share: running it, and small matrix files."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["GOSSAMER"]
FAULTY = os.environ["GOSSAMER_FAULTY"]  # the same program, with kernels that give wrong results
WITHOUT_BENCH = os.environ["GOSSAMER_WITHOUT_BENCH"]  # the same program, GOSSAMER_BENCH=OFF
COMPLETION = Path(__file__).parents[2] / "cli" / "completion" / "gossamer.bash"
DATA = Path(__file__).parents[1] / "data"

# A memory that is refused must reach the program as it does without a sanitizer.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1",
               "TSAN_OPTIONS": "allocator_may_return_null=1", "TERM": "xterm"}
for name in ("NO_COLOR", "OMP_NUM_THREADS"):
    ENVIRONMENT.pop(name, None)

SANITIZER_REMARK = re.compile(r"^==\d+==WARNING: \w+Sanitizer failed to allocate .*\n", re.MULTILINE)

# [2 0 1; 0 3 0; 4 0 5]
SQUARE = """%%MatrixMarket matrix coordinate real general
3 3 5
1 1 2
1 3 1
2 2 3
3 1 4
3 3 5
"""
# [1 2 0; 0 0 3]
WIDE = """%%MatrixMarket matrix coordinate real general
2 3 3
1 1 1
1 2 2
2 3 3
"""
VECTOR = "%%MatrixMarket matrix array real general\n3 1\n1\n10\n100\n"
# [1 4; 2 5; 3 6]
BLOCK = "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n"


class Case(unittest.TestCase):
    """A folder of its own for every test, with the small files above in it."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name, text in [("a.mtx", SQUARE), ("wide.mtx", WIDE), ("x.mtx", VECTOR),
                           ("b.mtx", BLOCK)]:
            (self.folder / name).write_text(text)
        self.before = self.names()

    def names(self):
        return sorted(os.listdir(self.folder))

    def run_program(self, *arguments, program=PROGRAM, **settings):
        settings = {"env": ENVIRONMENT, "cwd": self.folder, "text": True, "errors": "replace", "timeout": 300,
                    "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE, **settings}
        done = subprocess.run([program, *map(str, arguments)], check=False, **settings)
        if done.stderr:  # a sanitizer's remark on a refused allocation is not the program's
            done.stderr = SANITIZER_REMARK.sub("", done.stderr)
        return done

    def succeed(self, *arguments, **settings):
        done = self.run_program(*arguments, **settings)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        self.assertEqual(done.stderr, "", "nothing is said on stderr when all is well")
        return done.stdout

    def succeed_json(self, *arguments, **settings):
        return json.loads(self.succeed(*arguments, "--json", **settings))

    def refuse(self, code, *arguments, **settings):
        """It ends with `code`, one error line, nothing on stdout and no new file. Its text."""
        done = self.run_program(*arguments, **settings)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        self.assertTrue(done.stderr.startswith("gossamer: error: "), done.stderr)
        self.assertEqual(done.stderr.count("gossamer: error:"), 1)
        if settings.get("stdout", subprocess.PIPE) == subprocess.PIPE:
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.names(), self.before, "a refused command leaves nothing behind")
        return done.stderr

    def entries(self, name):
        """A Matrix Market file as (rows, cols, {(i, j): value}) from 1, or as a list of columns."""
        lines = (self.folder / name).read_text().splitlines()
        banner = lines[0].split()
        body = [line.split() for line in lines if line and not line.startswith("%")]
        rows, cols = int(body[0][0]), int(body[0][1])
        if banner[2] == "array":
            values = [float(word[0]) for word in body[1:]]
            return [values[j * rows:(j + 1) * rows] for j in range(cols)]
        found = {(int(i), int(j)): float(v) for i, j, v in body[1:]}
        self.assertEqual(len(found), int(body[0][2]), "every entry once")
        return rows, cols, found
