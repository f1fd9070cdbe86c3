"""bench: races on small matrices, from outside."""

import gzip
import json
import signal
import subprocess
import time
import unittest

import result_lines
from harness import ENVIRONMENT, PROGRAM, Case


class Bench(Case):
    def test_results(self):
        for product in ["spmv", "spmm", "spgemm"]:
            found = self.succeed_json("bench", product, "a.mtx", "poisson2d:nx=8,ny=8",
                                      "--all-kernels", "--case-seconds", "0.01",
                                      "--out", f"{product}.jsonl")
            self.assert_written((self.folder / f"{product}.jsonl").read_text(), found)
            self.assertGreater(found["context"]["bandwidth"][0]["triad"], 0)
            self.assertEqual([c["matrix"]["name"] for c in found["cases"]],
                             ["a", "poisson2d:nx=8,ny=8"])
            for case in found["cases"]:
                kernels = [r["kernel"] for r in case["records"]]
                self.assertTrue(all(k.startswith(product + "/") for k in kernels), kernels)
                self.assertGreater(len(kernels), 1)
                self.assertGreaterEqual(case["choice"]["regret"], 1)
                self.assertEqual({r["kernel"]: [p["name"] for p in r["phases"]]
                                  for r in case["records"] if "phases" in r},
                                 {"spgemm/csr/pb/openmp":
                                  ["symbolic", "expand", "sort", "compress", "convert"]}
                                 if product == "spgemm" else {})
                for record in case["records"]:
                    self.assertNotIn("explanation", record)
                    warm = record["seconds"]["warm"]
                    self.assertNotIn("samples", warm)
                    self.assertGreaterEqual(warm["count"], 1)
                    for least, most in [("min", "low"), ("low", "median"), ("median", "high"),
                                        ("min", "q1"), ("q1", "median"), ("median", "q3")]:
                        self.assertLessEqual(warm[least], warm[most])
                    self.assertLessEqual(record["error"], 1)

    def assert_written(self, text, found):
        """The file says what --json printed, rounded."""
        written = result_lines.load(text)
        self.assertEqual(written["context"], found["context"])
        self.assertEqual([c["matrix"] for c in written["cases"]],
                         [c["matrix"] for c in found["cases"]])
        for line, case in zip(written["cases"], found["cases"]):
            self.assertEqual([written["entrants"][r["entrant"]]["contestant"]
                              for r in line["records"]], [r["contestant"] for r in case["records"]])
            for values, record in zip(line["records"], case["records"]):
                timing = dict(zip(written["timing"], values["warm"]))
                warm = record["seconds"]["warm"]
                self.assertEqual(timing["count"], warm["count"])
                self.assertAlmostEqual(timing["median"] * 1e-6 / warm["median"], 1, delta=1e-4)

    def test_full_records(self):
        command = ["bench", "spgemm", "a.mtx", "--case-seconds", "0.01", "--full", "--out", "r.jsonl.gz"]
        found = self.succeed_json(*command)
        with gzip.open(self.folder / "r.jsonl.gz", "rt") as file:
            text = file.read()
        self.assertIn(result_lines.problems(text), (None, []))
        for values, record in zip(result_lines.load(text)["cases"][0]["records"],
                                  found["cases"][0]["records"]):
            warm = record["seconds"]["warm"]
            self.assertEqual(len(warm["samples"]), warm["count"])
            self.assertEqual(len(values["more"]["samples"]["warm"]), warm["count"])
            self.assertEqual(values["more"]["explanation"]["chosen"], record["kernel"])
            self.assertNotIn("phases", values["more"]["explanation"])
        self.assertIn("already recorded", self.run_program(*command).stderr)
        self.assertIn("1 case", self.succeed("bench", "report", "r.jsonl.gz"))

    def test_hyb_splits(self):
        found = self.succeed_json("bench", "spmv", "poisson2d:nx=8,ny=8", "--hyb-splits",
                                  "--kernel", "spmv/hyb/split/openmp", "--case-seconds", "0.01")
        splits = [r["contestant"] for r in found["cases"][0]["records"] if r["format"] == "hyb"]
        self.assertEqual(len(splits), 5)
        self.assertIn("spmv/hyb/split/openmp (minimal storage)", splits)

    def test_ceilings_are_those_of_devices(self):
        for command in (["spmv"], ["spmm", "--on", "cuda", "--compare", "cusparse"]):
            said = self.refuse(2, "bench", command[0], "poisson2d:nx=8,ny=8", "--ceiling", *command[1:])
            self.assertIn("bench spmv --on cuda --ceiling", said)

    def test_table(self):
        text = self.succeed("bench", "spmv", "a.mtx", "--case-seconds", "0.01")
        self.assertIn("of STREAM", text)
        self.assertIn("best (spmv/csr/", text)

    def test_resumes(self):
        command = ["bench", "spmv", "a.mtx", "--case-seconds", "0.01", "--out", "r.jsonl"]
        self.succeed(*command)
        before = (self.folder / "r.jsonl").read_text()
        done = self.run_program(*command)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("already recorded", done.stderr)
        self.assertEqual((self.folder / "r.jsonl").read_text(), before)
        self.succeed(*command, "--fresh")
        self.assertNotEqual((self.folder / "r.jsonl").read_text(), before)

    def test_an_interrupted_run_leaves_whole_cases(self):
        words = ["bench", "spmv", "--case-seconds", "0.2", "--out", "r.jsonl"]
        words += [f"poisson2d:nx={n},ny=8" for n in range(8, 48)]
        with subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, env=ENVIRONMENT) as running:
            deadline = time.monotonic() + 60
            while not (self.folder / "r.jsonl").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            running.send_signal(signal.SIGINT)
            running.wait(60)
        self.assertNotEqual(running.returncode, 0)
        found = result_lines.load((self.folder / "r.jsonl").read_text())
        self.assertGreaterEqual(len(found["cases"]), 1)
        self.assertLess(len(found["cases"]), 40)
        self.assertEqual(self.names(), sorted([*self.before, "r.jsonl"]))

    def test_results_of_an_older_version_are_not_added_to(self):
        (self.folder / "r.json").write_text('{"schema": "gossamer-bench/1"}')
        done = self.run_program("bench", "spmv", "a.mtx", "--out", "r.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gossamer-bench/1", done.stderr)

    def test_results_of_others_are_not_touched(self):
        (self.folder / "r.jsonl").write_text("my diary")
        done = self.run_program("bench", "spmv", "a.mtx", "--out", "r.jsonl")
        self.assertEqual(done.returncode, 4)
        self.assertEqual((self.folder / "r.jsonl").read_text(), "my diary")

    def test_one_broken_file_does_not_end_the_run(self):
        (self.folder / "broken.mtx").write_text("nothing")
        done = self.run_program("bench", "spmv", "broken.mtx", "a.mtx", "--case-seconds", "0.01",
                                "--json")
        self.assertEqual(done.returncode, 4)
        self.assertIn("broken.mtx", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["cases"]), 1)

    def test_wrong_words(self):
        for words, named in [(["spmv"], "--suite"), (["spmv", "--suite", "none"], "none"),
                             (["spmv", "a.mtx", "--kernel", "spmv/x"], "spmv/x"),
                             (["spmv", "a.mtx", "--compare", "nobody"], "nobody"),
                             (["spmv", "a.mtx", "--on", "moon"], "moon"),
                             (["spmv", "--suite", "papers", "--label", "Gu Fig. 99"], "Gu Fig. 99"),
                             (["spmv", "--suite", "real"], "--matrices")]:
            done = self.run_program("bench", *words)
            self.assertIn(done.returncode, (2, 4), words)
            self.assertIn(named, done.stderr)


if __name__ == "__main__":
    unittest.main()
