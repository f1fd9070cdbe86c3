"""The smoke suite with every kernel and every peer of this build, and the schema over what it wrote."""

import os
import unittest

import result_lines
from harness import Case

PEERS = [name for name in os.environ.get("GOSSAMER_PEERS_BUILT", "").split(",") if name]


class Smoke(Case):
    def race(self, operation):
        out = self.folder / "results.jsonl"
        self.succeed("bench", operation, "--suite", "smoke", "--all-kernels", "--compare", "all",
                     "--case-seconds", "0.05", "--out", out)
        return out.read_text()

    def check(self, operation):
        text = self.race(operation)
        self.assert_valid(text)
        found = result_lines.load(text)
        self.assertGreaterEqual(len(found["cases"]), 6)
        wrong = [(case["matrix"]["name"], r) for case in found["cases"]
                 for r in case["refused"] if "wrong" in r]
        self.assertEqual(wrong, [])
        racers = {r["entrant"].split("/")[0] for case in found["cases"] for r in case["records"]}
        loaded = {p["name"] for p in found["context"]["peers"]}
        unusable = {p["name"]: p["why"] for p in found["context"]["missing"]}
        self.assertEqual(loaded | set(unusable), loaded | set(unusable) | set(PEERS))
        self.assertLessEqual({p for p in loaded if p != "cusparse"}, racers)
        for case in found["cases"]:
            self.assertTrue(any(found["entrants"][r["entrant"]]["kind"] == "choice"
                                for r in case["records"]))
        text = self.succeed("bench", "report", "results.jsonl")
        self.assertIn("Regret of the choice", text)

    def assert_valid(self, text):
        found = result_lines.problems(text)
        if found is None:
            print("SKIPPED the schema: python3-jsonschema is not installed")
        else:
            self.assertEqual(found, [])

    def test_spmv(self):
        self.check("spmv")

    def test_spmm(self):
        self.check("spmm")

    def test_spgemm(self):
        self.check("spgemm")

    def test_conversions(self):
        out = self.folder / "results.jsonl"
        self.succeed("bench", "convert", "poisson2d:nx=40,ny=40", "--case-seconds", "0.1",
                     "--out", out)
        self.assert_valid(out.read_text())


if __name__ == "__main__":
    unittest.main()
