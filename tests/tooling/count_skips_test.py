"""Skipped cases are counted, whoever skipped them."""

import importlib.util
import unittest
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "count-skips.py"
spec = importlib.util.spec_from_file_location("count_skips", TOOL)
count_skips = importlib.util.module_from_spec(spec)
spec.loader.exec_module(count_skips)


def test_of(number, name, output, ending="Test Passed."):
    return (f"{number}/4 Testing: {name}\n{number}/4 Test: {name}\nOutput:\n----------\n{output}"
            f"<end of output>\nTest time =   0.02 sec\n----------\n{ending}\n")


CUDA = test_of(1, "unit_cuda", """[==========] 43 tests from 9 test suites ran. (16 ms total)
[  PASSED  ] 6 tests.
[  SKIPPED ] 37 tests.
""")
IO = test_of(2, "unit_io", "[==========] 136 tests from 16 test suites ran. (2 ms total)\n"
             "[  PASSED  ] 136 tests.\n")
TERMINAL = test_of(3, "cli_terminal", "......s.\nRan 8 tests in 6.2s\n\nOK (skipped=1)\n")
NOT_RUN = test_of(4, "peers", "", "Test Skipped.")


class Skips(unittest.TestCase):
    def test_each_test_is_counted(self):
        found = count_skips.count(CUDA + IO + TERMINAL + NOT_RUN)
        self.assertEqual(found, {"unit_cuda": (43, 37), "unit_io": (136, 0),
                                 "cli_terminal": (8, 1), "peers": (1, 1)})

    def test_the_closing_line(self):
        self.assertEqual(count_skips.closing_line(CUDA + IO + TERMINAL),
                         "skipped: 38 of 187 cases (37 in unit_cuda, 1 in cli_terminal)")
        self.assertEqual(count_skips.closing_line(IO), "skipped: none of 136 cases")


if __name__ == "__main__":
    unittest.main()
