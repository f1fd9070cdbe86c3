"""The smoke suite with every kernel and every peer of this build, and the schema over what it wrote."""

import json
import os
import unittest
from pathlib import Path

from harness import Case

SCHEMA = Path(__file__).parents[2] / "bench" / "schema" / "results.schema.json"
PEERS = [name for name in os.environ.get("GOSSAMER_PEERS_BUILT", "").split(",") if name]


class Smoke(Case):
    def race(self, operation):
        out = self.folder / "results.json"
        self.succeed("bench", operation, "--suite", "smoke", "--all-kernels", "--compare", "all",
                     "--case-seconds", "0.05", "--out", out)
        return json.loads(out.read_text())

    def check(self, operation):
        found = self.race(operation)
        self.assert_valid(found)
        self.assertGreaterEqual(len(found["cases"]), 6)
        wrong = [(case["matrix"]["name"], r) for case in found["cases"]
                 for r in case["refused"] if r["wrong"]]
        self.assertEqual(wrong, [])
        racers = {r["contestant"].split("/")[0] for case in found["cases"] for r in case["records"]}
        loaded = {p["name"] for p in found["context"]["peers"]}
        unusable = {p["name"]: p["why"] for p in found["context"]["missing"]}
        self.assertEqual(loaded | set(unusable), loaded | set(unusable) | set(PEERS))
        self.assertLessEqual({p for p in loaded if p != "cusparse"}, racers)
        for case in found["cases"]:
            self.assertTrue(any(r["kind"] == "choice" for r in case["records"]))
        text = self.succeed("bench", "report", "results.json")
        self.assertIn("Regret of the choice", text)

    def assert_valid(self, found):
        try:
            import jsonschema
        except ImportError:
            print("SKIPPED the schema: python3-jsonschema is not installed")
            return
        validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
        self.assertEqual([f"{list(e.path)}: {e.message}" for e in validator.iter_errors(found)], [])

    def test_spmv(self):
        self.check("spmv")

    def test_spmm(self):
        self.check("spmm")

    def test_spgemm(self):
        self.check("spgemm")

    def test_conversions(self):
        out = self.folder / "results.json"
        self.succeed("bench", "convert", "poisson2d:nx=40,ny=40", "--case-seconds", "0.1",
                     "--out", out)
        self.assert_valid(json.loads(out.read_text()))


if __name__ == "__main__":
    unittest.main()
