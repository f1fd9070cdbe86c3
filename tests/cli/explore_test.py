"""gossamer explore: pages from results and from matrices, what it refuses, and the page on localhost."""

import base64
import gzip
import json
import re
import socket
import subprocess
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import result_lines
from harness import DATA, PROGRAM, Case

ROOT = Path(__file__).parents[2]

RESULTS = ROOT / "bench" / "results" / "xeon-16-spmv.jsonl"
ELEMENT = re.compile(r'<script type="application/x-gossamer-results" data-name="([^"]*)" '
                     r'data-encoding="gzip base64">([^<]*)</script>')


def data_of(page):
    """What is inside a page, as {name: text}."""
    return {name: gzip.decompress(base64.b64decode(packed)).decode()
            for name, packed in ELEMENT.findall(page.read_text(encoding="utf-8"))}


class Explore(Case):
    def test_page_holds_the_results_unchanged(self):
        done = self.run_program("explore", str(RESULTS), "-o", "page.html", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        page = self.folder / "page.html"
        self.assertEqual(told["bytes"], page.stat().st_size)
        self.assertEqual(data_of(page), {RESULTS.name: RESULTS.read_text(encoding="utf-8")})
        self.assertTrue(page.read_text(encoding="utf-8").startswith("<!doctype html>"))

    def test_compressed_results_and_equal_names(self):
        other = self.folder / "other"
        other.mkdir()
        (other / (RESULTS.name + ".gz")).write_bytes(gzip.compress(RESULTS.read_bytes()))
        (other / RESULTS.name).write_bytes(RESULTS.read_bytes())
        done = self.run_program("explore", str(RESULTS), str(other / RESULTS.name),
                            str(other / (RESULTS.name + ".gz")))
        self.assertEqual(done.returncode, 0, done.stderr)
        inside = data_of(self.folder / "report.html")
        self.assertEqual(len(inside), 3)
        self.assertEqual(set(inside.values()), {RESULTS.read_text(encoding="utf-8")})

    def test_matrix_is_measured(self):
        done = self.run_program("explore", str(DATA / "west0479.mtx.gz"), "--operation", "spmv,spgemm",
                            "--threads", "1", "--case-seconds", "0.01", "--records", "kept.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        first, *lines = map(json.loads, (self.folder / "kept.jsonl").read_text().splitlines())
        cases = [line for line in lines if isinstance(line, dict)]
        self.assertEqual([case["operation"] for case in cases], ["spmv", "spgemm"])
        for case in cases:
            self.assertEqual(case["features"]["nnz"], 1910)
            self.assertGreaterEqual(case["choice"]["regret"], 1)
        names = {line[0] for line in lines if isinstance(line, list)}
        self.assertIn("best", names)
        self.assertIn("spmv/csr/merge/openmp", names)
        self.assertTrue(names <= set(first["entrants"]))
        problems = result_lines.problems((self.folder / "kept.jsonl").read_text())
        self.assertIn(problems, ([], None), "None: jsonschema is missing")
        details = json.loads(data_of(self.folder / "report.html")["matrices"])
        self.assertEqual(sum(details["row_histogram"]), 479)
        self.assertEqual(sum(details["product_histogram"]), 479)
        self.assertEqual(sum(details["spy"]["counts"]), 1910)
        self.assertIn("chosen spmv/", details["explanations"][0]["text"])

    def test_recipe_that_is_not_square(self):
        done = self.run_program("explore", "random:rows=40,cols=30,per-row=3", "--case-seconds", "0.01",
                            "--threads", "1", "--records", "kept.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "kept.jsonl").read_text()
        self.assertIn('"operation":"spmm"', text)
        self.assertNotIn('"operation":"spgemm"', text)
        done = self.run_program("explore", "random:rows=40,cols=30,per-row=3", "--operation", "spgemm")
        self.assertEqual(done.returncode, 4)
        self.assertIn("only a square matrix can be squared", done.stderr)

    def test_whole_suite_with_its_page(self):
        suite = {"suite": "own", "about": "Two of a kind.", "matrices": [
            {"name": "grid", "class": "mesh", "recipe": "poisson2d:nx=12,ny=12", "labels": ["Gu Fig. 9"]},
            {"name": "wide", "class": "random", "recipe": "random:rows=20,cols=30,per-row=3",
             "operations": ["spmm"], "columns": [4]}]}
        (self.folder / "own.json").write_text(json.dumps(suite))
        words = ["bench", "--suite", "own.json", "--case-seconds", "0.01", "--threads", "1", "--out", "all.jsonl"]
        done = self.run_program(*words, "--report", "all.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = (self.folder / "all.jsonl").read_text()
        cases = [(case["operation"], case["matrix"]["name"]) for case in result_lines.load(kept)["cases"]]
        self.assertEqual(cases, [("spmv", "grid"), ("spmm", "grid"), ("spmm", "wide"), ("spgemm", "grid")])
        self.assertEqual(data_of(self.folder / "all.html"), {"all.jsonl": kept})
        again = self.run_program(*words)  # goes on where it stopped: nothing is left to do
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(len(result_lines.load((self.folder / "all.jsonl").read_text())["cases"]), 4)
        part = self.run_program(*words[:-1], "part.jsonl", "--label", "Gu Fig. 9")
        self.assertEqual(part.returncode, 0, part.stderr)
        self.assertNotIn('"wide"', (self.folder / "part.jsonl").read_text())
        for wrong, message in [(["bench"], "name an operation, or a suite"),
                               ([*words[:-2], "--label", "none"], "no case of the suite has that label")]:
            refused = self.run_program(*wrong)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(message, refused.stderr)

    def test_refusals(self):
        (self.folder / "broken.jsonl").write_text('{"schema":"gossamer-bench/2"}\n{"operation":\n')
        (self.folder / "other.jsonl").write_text('{"a":1}\n')
        (self.folder / "empty.jsonl").write_text("\n")
        for words, code, message in [
                ([], 2, "nothing to show"),
                (["broken.jsonl"], 4, "broken.jsonl, line 2: this is not JSON"),
                (["other.jsonl"], 4, 'other.jsonl, line 1: the first line should have "schema"'),
                (["empty.jsonl"], 4, "empty.jsonl is empty"),
                (["missing.jsonl"], 4, "missing.jsonl cannot be read"),
                (["missing.mtx"], 4, "missing.mtx"),
                ([str(RESULTS), "-o", "no/such/folder/page.html"], 4, "no/such/folder"),
                ([str(RESULTS), "--records", "kept.jsonl"], 2, "no matrix is named")]:
            with self.subTest(words=words):
                done = self.run_program("explore", *words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.folder / "report.html").exists())

    def test_serve(self):
        server = subprocess.Popen([PROGRAM, "explore", str(RESULTS), "--serve"], cwd=self.folder,
                                  text=True, stdout=subprocess.PIPE)
        try:
            address = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())
            with urllib.request.urlopen(address.group(0)) as answer:
                self.assertIn("text/html", answer.headers["Content-Type"])
                self.assertIn("gossamer-sources", answer.read().decode())
            with self.assertRaises(urllib.error.HTTPError):
                urllib.request.urlopen(address.group(0) + "elsewhere")
            with socket.create_connection(("127.0.0.1", int(address.group(1)))) as rude:
                rude.sendall(b"\0\xff" * 10 + b"\r\n\r\n")
                self.assertIn(b"404", rude.recv(100))
            taken = self.run_program("explore", str(RESULTS), "--serve", "--port", address.group(1))
            self.assertEqual(taken.returncode, 4)
            self.assertIn("--port names another", taken.stderr)
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
        self.assertFalse((self.folder / "report.html").exists())


if __name__ == "__main__":
    unittest.main()
