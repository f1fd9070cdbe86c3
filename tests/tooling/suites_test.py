"""The benchmark suites hold together: every entry is well formed, factors fit, recipes are known.

With GOSSAMER=program, kinds and parameters are asked of it, and it makes every recipe once, with
sizes shrunk.
"""

import json
import math
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "bench" / "suites"
PROGRAM = os.environ.get("GOSSAMER")

CLASSES = {"mesh", "fem", "random", "power-law", "web", "aspect", "amg", "dense-row", "real", "tiny",
           "circuit", "lp", "combinatorial", "graph", "data"}
OPERATIONS = {"spmv", "spmm", "spgemm"}
KEYS = {"name", "class", "recipe", "file", "transpose", "right", "labels", "operations", "columns", "size"}
LABEL = re.compile(r"(Yang|Dalton|Gu|Anzt) (Fig\.|Table) \d+[ab]?")

# What replaces a parameter so that a recipe is made in no time; the others stay as they are.
SMALL = {"nx": "5", "ny": "4", "nz": "3", "n": "300", "scale": "6", "rows": "500", "cols": "500",
         "nnz": "800", "longest": "60", "mean": "3", "per-row": "4", "dense": "40"}


def suites():
    return {file.stem: json.loads(file.read_text(encoding="utf-8"))
            for file in sorted(FOLDER.glob("*.json"))}


def entries():
    for suite, content in suites().items():
        for entry in content["matrices"]:
            if "folder" not in entry:
                yield f"{suite}: {entry.get('name')}", entry


def right_factors(entry):
    """What a right factor is made of: texts that are "A", "transposed" or recipes."""
    right = entry.get("right", "A")
    return right["multiply"] if isinstance(right, dict) else [right]


def recipes():
    for where, entry in entries():
        for text in [entry.get("recipe"), *right_factors(entry)]:
            if text not in (None, "A", "transposed"):
                yield where, text


def parts(recipe):
    kind, _, rest = recipe.partition(":")
    return kind, dict(setting.split("=") for setting in rest.split(",")) if rest else {}


def size(text):
    base, _, power = text.partition("^")
    return int(base) ** int(power or 1)


def fem_rows(domain, n):
    if domain == "l-shape":  # (2h - 1)^2 nodes inside a square, less the h^2 of a quarter
        return min((3 * h * h - 4 * h + 1 for h in range(1, math.isqrt(n) + 2)), key=lambda r: abs(r - n))
    power = 3 if domain == "ball" else 2
    return round(n ** (1 / power)) ** power


def shape(recipe):
    """Rows and columns, by the documentation of the generators."""
    kind, given = parts(recipe)
    number = {name: size(value) for name, value in given.items() if re.fullmatch(r"\d+(\^\d+)?", value)}
    if kind in ("rmat", "er"):
        return (2 ** number["scale"],) * 2
    if kind == "fem":
        return (fem_rows(given["domain"], number["n"]),) * 2
    if kind in ("poisson2d", "poisson3d", "aggregation"):
        sides = [number[axis] for axis in ("nx", "ny", "nz") if axis in number]
        block = number.get("block", 1)
        return math.prod(sides), math.prod(-(-side // block) for side in sides)
    if kind == "aspect" and "cols" not in number:
        return number["rows"], -(-number["nnz"] // number["rows"])
    return number["rows"], number.get("cols", number["rows"])


def multiplied(left, right):
    """The shape of a product; None when the factors do not fit."""
    return (left[0], right[1]) if left[1] == right[0] else None


class Format(unittest.TestCase):
    def test_the_suites_say_what_they_are(self):
        self.assertEqual(set(suites()),
                         {"smoke", "papers", "standard", "real", "choice-fit", "choice-judge"})
        for name, content in suites().items():
            self.assertEqual(content["suite"], name)
            self.assertTrue(content["about"].endswith("."), name)
            self.assertLessEqual(content.keys(), {"suite", "about", "missing", "matrices"}, name)
            self.assertTrue(content["matrices"], name)
            for left_out in content.get("missing", []):
                self.assertEqual(left_out.keys(), {"label", "why"})

    def test_names_are_unique_and_can_be_typed(self):
        for suite, content in suites().items():
            names = [entry["name"] for entry in content["matrices"] if "folder" not in entry]
            self.assertEqual(len(names), len(set(names)), f"{suite}: {sorted(names)}")
            self.assertTrue(all(name.isascii() for name in names), suite)

    def test_the_choice_is_not_judged_by_what_it_was_fitted_on(self):
        fit, judge = ({entry.get("file", entry.get("recipe")) for entry in suites()[name]["matrices"]}
                      for name in ("choice-fit", "choice-judge"))
        self.assertFalse(fit & judge)
        self.assertLessEqual(abs(len(fit) - len(judge)), 2)

    def test_folders_stand_alone(self):
        for suite, content in suites().items():
            for entry in content["matrices"]:
                if "folder" in entry:
                    self.assertEqual(entry.keys(), {"folder"}, suite)

    def test_keys_and_their_values(self):
        for where, entry in entries():
            with self.subTest(where):
                self.assertLessEqual(entry.keys(), KEYS)
                self.assertEqual(len({"recipe", "file"} & entry.keys()), 1)
                self.assertIn(entry["class"], CLASSES)
                self.assertTrue(entry["operations"])
                self.assertLessEqual(set(entry["operations"]), OPERATIONS)
                self.assertIn(entry.get("transpose", True), [True])
                self.assertIn(entry.get("size", "large"), ["large"])
                for label in entry.get("labels", []):
                    self.assertRegex(label, f"^{LABEL.pattern}$")
                if "right" in entry or "transpose" in entry:
                    self.assertEqual(entry["operations"], ["spgemm"])
                    self.assertEqual(len(right_factors(entry)), 2 if isinstance(entry["right"], dict) else 1)
                for columns in entry.get("columns", []):
                    self.assertIn("spmm", entry["operations"])
                    self.assertGreater(columns, 0)

    def test_each_paper_is_labelled(self):
        found = {LABEL.fullmatch(label).group(1) for entry in suites()["papers"]["matrices"]
                 for label in entry["labels"]}
        self.assertEqual(found, {"Yang", "Dalton", "Gu", "Anzt"})

    def test_factors_fit(self):
        for where, entry in entries():
            if "recipe" not in entry or "spgemm" not in entry["operations"]:
                continue
            given = shape(entry["recipe"])
            known = {"A": given, "transposed": given[::-1]}
            factors = [known.get(text) or shape(text) for text in right_factors(entry)]
            left = given[::-1] if "transpose" in entry else given
            right = multiplied(*factors) if len(factors) == 2 else factors[0]
            self.assertIsNotNone(right, f"{where}: the right factor, {factors}")
            self.assertIsNotNone(multiplied(left, right), f"{where}: {left} times {right}")


@unittest.skipUnless(PROGRAM, "GOSSAMER does not name the program")
class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = subprocess.run([PROGRAM, "generate", "--list", "--json"], check=True, capture_output=True)
        cls.kinds = {kind["kind"]: {p["name"] for p in kind["parameters"]}
                     for kind in json.loads(listed.stdout)["kinds"]}

    def test_kinds_and_parameters_are_known(self):
        for where, recipe in recipes():
            kind, given = parts(recipe)
            self.assertIn(kind, self.kinds, where)
            self.assertLessEqual(given.keys(), self.kinds[kind], where)

    def make(self, recipe, given):
        kind, _ = parts(recipe)
        with tempfile.TemporaryDirectory() as folder:
            settings = [f"{name}={value}" for name, value in given.items()]
            done = subprocess.run([PROGRAM, "generate", kind, *settings, "-o", f"{folder}/m.gsm", "--json"],
                                  check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{recipe}: {done.stderr}")
        return json.loads(done.stdout)

    def test_every_recipe_is_accepted_when_shrunk(self):
        # A grid of one layer stays one: nz=1 asks for another path.
        shrunk = {recipe: {name: value if value == "1" else SMALL.get(name, value)
                           for name, value in parts(recipe)[1].items()} for _, recipe in recipes()}
        for recipe, given in {str((parts(r)[0], g)): (r, g) for r, g in shrunk.items()}.values():
            self.make(recipe, given)

    def test_shapes_are_as_computed_here(self):
        smoke = [entry["recipe"] for entry in suites()["smoke"]["matrices"]]
        more = ["fem:domain=l-shape,n=900", "fem:domain=ball,n=900", "fem:domain=disc,n=900",
                "aggregation:nx=7,ny=5,nz=4,block=3", "aspect:rows=2^3,nnz=2^6", "rmat:scale=5"]
        for recipe in smoke + more:
            made = self.make(recipe, parts(recipe)[1])
            self.assertEqual((made["rows"], made["cols"]), shape(recipe), recipe)


if __name__ == "__main__":
    unittest.main()
