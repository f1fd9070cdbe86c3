#!/usr/bin/env python3
"""Conveniences of the command line: pipes, several files, comparing, hints, help, edge lists."""

import gzip
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from harness import ENVIRONMENT, PROGRAM, SQUARE, Case

COMMANDS = [["info"], ["multiply"], ["convert"], ["compare"], ["generate"], ["amg"], ["explore"], ["bench", "spmv"],
            ["bench", "spmm"], ["bench", "spgemm"], ["bench", "convert"], ["bench", "report"],
            ["bench", "compare"], ["roofline"]]
SYMMETRIC = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 4\n"


class Everyday(Case):
    def call(self, *words, given=None):
        return subprocess.run([PROGRAM, *words], input=given, cwd=self.folder, env=ENVIRONMENT,
                              capture_output=True, check=False, timeout=120)


class StandardStreams(Everyday):
    def test_reading(self):
        for words in (["info", "-", "--json"], ["multiply", "-", "--square", "--json"]):
            done = self.call(*words, given=SQUARE.encode())
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(done.stdout)
        packed = self.call("info", "-", "--json", given=gzip.compress(SQUARE.encode()))
        self.assertEqual(json.loads(packed.stdout)["file"]["format"], "mtx.gz")

    def test_writing(self):
        done = self.call("convert", "a.mtx", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(b"%%MatrixMarket"), done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 7)
        through = self.call("convert", "-", "-", given=done.stdout)
        self.assertEqual(through.stdout, done.stdout)


class SeveralFiles(Everyday):
    def test_info(self):
        text = self.call("info", "a.mtx", "wide.mtx").stdout.decode()
        self.assertIn("a.mtx", text)
        self.assertIn("wide.mtx", text)
        found = json.loads(self.call("info", "a.mtx", "wide.mtx", "--json").stdout)
        self.assertEqual([f["file"]["name"] for f in found["files"]], ["a.mtx", "wide.mtx"])
        self.assertEqual(self.call("info", "a.mtx", "wide.mtx", "--why", "spmv").returncode, 2)

    def test_stored_types(self):
        for name, asked, wanted in (("s.gsm", "f32", "f32"), ("d.gsm", "f64", "f64"),
                                    ("s.npz", "f32", "f32"), ("d.npz", "f64", "f64")):
            self.assertEqual(self.call("convert", "a.mtx", name, "--type", asked).returncode, 0)
            self.assertIn(f"({wanted})", self.call("info", name).stdout.decode())
            found = json.loads(self.call("info", name, "--json").stdout)
            self.assertEqual(found["file"]["type"], wanted)


class Compare(Everyday):
    def test_verdicts(self):
        self.call("convert", "a.mtx", "same.npz")
        done = self.call("compare", "a.mtx", "same.npz")
        self.assertEqual((done.returncode, b"bit by bit" in done.stdout), (0, True), done.stdout)
        (self.folder / "near.mtx").write_text(SQUARE.replace("3 3 5\n", "3 3 5.0000001\n").replace(
            "3 3 5.0000001\n1", "3 3 5\n1"))
        near = json.loads(self.call("compare", "a.mtx", "near.mtx", "--json").stdout)
        self.assertEqual((near["same"], near["close"]), (False, True))
        self.assertEqual((near["row"], near["column"]), (3, 3))
        self.assertEqual(self.call("compare", "a.mtx", "near.mtx", "--rtol", "0", "--atol", "0").returncode, 1)
        (self.folder / "more.mtx").write_text(SQUARE.replace("3 3 5\n1", "3 3 6\n1 2 7\n1"))
        more = json.loads(self.call("compare", "a.mtx", "more.mtx", "--json").stdout)
        self.assertEqual((more["only_in_a"], more["only_in_b"], more["largest_difference"]), (0, 1, 7))
        self.assertEqual(self.call("compare", "a.mtx", "wide.mtx").returncode, 1)
        self.assertEqual(self.call("compare", "a.mtx").returncode, 2)
        self.assertEqual(self.call("compare", "a.mtx", "missing.mtx").returncode, 4)


class Helping(Everyday):
    def test_help_of_a_command(self):
        for words in COMMANDS:
            by_word, by_option = self.call("help", *words), self.call(*words, "--help")
            self.assertEqual(by_word.returncode, 0, by_word.stderr)
            self.assertEqual(by_word.stdout, by_option.stdout)
        self.assertIn(b"did you mean multiply?", self.call("help", "multipy").stderr)
        self.assertIn(b"multiply", self.call("help").stdout)

    def test_version(self):
        self.assertEqual(self.call("-V").stdout, self.call("--version").stdout)

    def test_help_fits_80_columns(self):
        texts = [self.call(*words, "--help") for words in [["--help"], *COMMANDS]]
        texts += [self.call("convert", "a.mtx", "c.gsm"), self.call("compare", "a.mtx", "a.mtx")]
        for done in texts:
            self.assertEqual(done.returncode, 0, done.stderr)
            for line in done.stdout.decode().splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_did_you_mean(self):
        for words, meant in ((["multiply", "a.mtx", "--sqare"], "--square"),
                             (["convert", "a.mtx", "b.gsm", "--thread", "2"], "--threads"),
                             (["mulitply", "a.mtx"], "multiply"),
                             (["multiply", "a.mtx", "--square", "--on", "opnmp"], "openmp"),
                             (["multiply", "a.mtx", "--square", "--semiring", "min_pus"], "min_plus")):
            done = self.call(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"did you mean {meant}?", done.stderr.decode())
        self.assertNotIn(b"did you mean", self.call("multiply", "a.mtx", "--zebra").stderr)

    def test_numbers(self):
        for words in (["multiply", "a.mtx", "--dense", "0"],
                      ["multiply", "a.mtx", "--vector", "ones", "--threads", "-1"],
                      ["compare", "a.mtx", "a.mtx", "--rtol", "7"],
                      ["bench", "spmv", "a.mtx", "--time-limit", "0"]):
            done = self.call(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(b"expected a number", done.stderr)
            self.assertIsNone(re.search(rb"\d{20}", done.stderr), done.stderr)

    def test_hints_fit_the_command(self):
        (self.folder / "big.mtx").write_text("%%MatrixMarket matrix array real general\n99999999 99999999\n")
        done = self.call("convert", "a.mtx", "b.foo")
        self.assertNotIn(b"--kernels", done.stderr)
        self.assertNotIn(b"spgemm", self.call("convert", "big.mtx", "b.gsm").stderr)


class Lists(Everyday):
    def test_do_not_swallow_the_matrix(self):
        for words in (["--threads", "1"], ["--type", "f64"], ["--kernel", "spmv/csr/rows/openmp"],
                      ["--on", "openmp"], ["--compare", "none-of-these"]):
            done = self.call("bench", "spmv", *words, "a.mtx", "--time-limit", "1", "--json")
            self.assertNotIn(b"nothing to measure", done.stderr, words)
            if words[0] != "--compare":
                self.assertEqual(done.returncode, 0, (words, done.stderr))
            else:
                self.assertIn(b"none-of-these", done.stderr)


class Files(Everyday):
    def test_edge_lists(self):
        (self.folder / "web.txt").write_text("# Nodes: 3 Edges: 3\n0\t1\n1\t2\n0\t1\n")
        found = json.loads(self.call("info", "web.txt", "--json").stdout)
        self.assertEqual((found["file"]["format"], found["file"]["stored"]), ("txt", 3))
        self.assertEqual(self.call("convert", "web.txt", "web.mtx").returncode, 0)
        self.assertIn("1 2 2\n", (self.folder / "web.mtx").read_text())
        (self.folder / "web.txt.gz").write_bytes(gzip.compress(b"0 1\n2 0 0.5\n"))
        self.assertEqual(self.call("convert", "web.txt.gz", "w.mtx").returncode, 0)
        self.assertEqual(self.call("convert", "a.mtx", "edges.txt").returncode, 2)

    def test_symmetric_output(self):
        (self.folder / "s.mtx").write_text(SYMMETRIC)
        self.assertEqual(self.call("convert", "s.mtx", "t.mtx", "--symmetric").returncode, 0)
        self.assertEqual((self.folder / "t.mtx").read_text(), SYMMETRIC)
        self.assertEqual(self.call("convert", "a.mtx", "u.mtx", "--symmetric").returncode, 2)
        self.assertEqual(self.call("convert", "s.mtx", "u.gsm", "--symmetric").returncode, 2)

    def test_a_folder_that_takes_no_files(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o500)
        if os.access(locked, os.W_OK):
            self.skipTest("root may write everywhere")
        done = self.call("multiply", "missing.mtx", "--square", "-o", "locked/c.mtx")
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"takes no files", done.stderr)


class Documents(Everyday):
    def test_man_page_and_completions_know_every_command(self):
        folder = Path(__file__).parents[2] / "cli"
        texts = {name: (folder / name).read_text() for name in
                 ("gossamer.1", "completion/gossamer.bash", "completion/_gossamer", "completion/gossamer.fish")}
        for name, text in texts.items():
            for words in [*COMMANDS, ["help"]]:
                self.assertIn(words[0], text, name)
        semirings = re.findall(r"[a-z]+_[a-z]+", self.call("multiply", "--help").stdout.decode().split(
            "--semiring")[1].split("--mask")[0])
        self.assertGreater(len(set(semirings)), 10)
        for name in ("completion/gossamer.bash", "completion/_gossamer", "completion/gossamer.fish"):
            for semiring in semirings:
                self.assertIn(semiring, texts[name])


if __name__ == "__main__":
    unittest.main()
