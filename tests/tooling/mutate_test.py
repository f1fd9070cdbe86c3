"""The mutants of a line are those that somebody would make, and none of them is the line itself."""

import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "mutate"
loader = importlib.machinery.SourceFileLoader("mutate", str(TOOL))
spec = importlib.util.spec_from_loader("mutate", loader)
mutate = importlib.util.module_from_spec(spec)
loader.exec_module(mutate)


class Mutants(unittest.TestCase):
    def changes(self, line):
        return {changed.strip() for _, changed in mutate.mutants_of_line(line)}

    def test_of_a_condition(self):
        found = self.changes("  if (size < 3 && full) return true;")
        self.assertEqual(found, {"if (size <= 3 && full) return true;", "if (size < 4 && full) return true;",
                                 "if (size < 3 || full) return true;", "if (!(size < 3 && full)) return true;",
                                 "if (size < 3 && full) return false;"})

    def test_of_a_statement(self):
        self.assertIn(";", self.changes("  file.write(bytes);"))
        self.assertNotIn(";", self.changes("  return write(bytes);"))

    def test_texts_are_left_alone(self):
        self.assertEqual(self.changes('  throw fail(kind, "{} < 3 && 4");'), set())

    def test_comments_are_no_code(self):
        text = "// a < b\n  if (a < b) f();  // c < d\n\n#include <x>\n"
        self.assertEqual(list(mutate.code_lines(text)), [(1, "  if (a < b) f();")])

    def test_of_the_library_have_names_of_their_own(self):
        found = [m["id"] for m in mutate.mutants(["multiply"])]
        self.assertGreater(len(found), 100)
        self.assertEqual(len(found), len(set(found)))


if __name__ == "__main__":
    unittest.main()
