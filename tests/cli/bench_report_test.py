"""bench report, bench compare and roofline, over a file of results that was made by hand."""

import copy
import json
import re
import unittest
import xml.dom.minidom

import result_lines
from harness import DATA, Case

EXAMPLE = DATA / "bench" / "example.jsonl"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def scaled(record, factor):
    median, count, calls, *times = record["warm"]
    record["warm"] = [median * factor, count, calls, *(t * factor for t in times)]


class Results(Case):
    def setUp(self):
        super().setUp()
        self.example = result_lines.load(EXAMPLE.read_text())

    def write(self, name, document):
        text = document if isinstance(document, str) else result_lines.dump(document)
        (self.folder / name).write_text(text)
        self.before = self.names()

    def changed(self, name, factor, fits, **machine):
        """The example with the times of some (case, record) pairs multiplied."""
        document = copy.deepcopy(self.example)
        document["context"]["machine"].update(machine)
        for case in document["cases"]:
            for record in case["records"]:
                if fits(case, record):
                    scaled(record, factor)
        self.write(name, document)


class Schema(Results):
    def setUp(self):
        super().setUp()
        if result_lines.problems("") is None:
            self.skipTest("python3-jsonschema is not installed")

    def test_example_is_valid(self):
        self.assertEqual(result_lines.problems(EXAMPLE.read_text()), [])

    def test_schema_is_strict(self):
        for spoil in [lambda r: r.update(more={"extra": 1}), lambda r: r.pop("error"),
                      lambda r: r.update(threads=0), lambda r: r.update(prepare=-1),
                      lambda r: r.update(warm=[]), lambda r: r.update(warm=None),
                      lambda r: r.update(more={"phases": {"sort": 1}}),
                      lambda r: r.update(more={"phases": []}), lambda r: r.update(more={}),
                      lambda r: r.update(more={"phases": [{"name": "sort", "seconds": 1}]})]:
            document = copy.deepcopy(self.example)
            spoil(document["cases"][0]["records"][0])
            self.assertEqual(len(result_lines.problems(result_lines.dump(document))), 1)
        self.example["entrants"]["best"]["mode"] = "half"
        self.assertEqual(len(result_lines.problems(result_lines.dump(self.example))), 1)


class Report(Results):
    def test_text_fits_and_has_no_colours(self):
        text = self.succeed("bench", "report", EXAMPLE)
        self.assertNotRegex(text, COLOUR)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100, line)
        for words in ["spmv, f64, 1 thread: 4 cases", "spmm, 32 columns, f64, 2 threads: 2 cases",
                      "on cuda", "best sorting peer", "Regret of the choice", "WRONG",
                      "out of memory", "numeric only"]:
            self.assertIn(words, text)

    def test_numbers(self):
        found = self.succeed_json("bench", "report", EXAMPLE, "--operation", "spgemm", "--threads",
                                  "2")
        whole = next(c for c in found["contests"] if c["mode"] == "whole")
        self.assertEqual(whole["cases"], 4)
        medians = {}
        for case in self.example["cases"]:
            if (case["operation"], case["threads"]) == ("spgemm", 2):
                medians[case["matrix"]["name"]] = {
                    r["entrant"]: r["warm"][0] for r in case["records"]}
        ratios = {name: m["eigen/product"] / m["best"] for name, m in medians.items()}
        duel = next(d for d in whole["duels"]
                    if d["against"] == "eigen/product" and d["class"] is None)
        self.assertAlmostEqual(duel["worst"], min(ratios.values()))
        self.assertEqual(duel["worst_case"], min(ratios, key=ratios.get))
        self.assertAlmostEqual(whole["regret"]["worst"], 1.111)
        jumbled = next(s for s in whole["standings"] if s["contestant"] == "graphblas/jumbled")
        self.assertEqual(jumbled["cases"], 4)  # the wrong one counts as never
        self.assertEqual(jumbled["profile"][-1]["share"], 0.75)

    def test_phases(self):
        found = self.succeed_json("bench", "report", EXAMPLE, "--operation", "spgemm", "--threads",
                                  "2")
        whole = next(c for c in found["contests"] if c["mode"] == "whole")
        triad = next(b["triad"] for b in self.example["context"]["bandwidth"]
                     if b["threads"] == 2)
        for kernel in ["spgemm/csr/hash/openmp", "spgemm/csr/esc/openmp"]:
            seconds, amount, cases = 0, 0, 0
            for case in self.example["cases"]:
                if (case["operation"], case["threads"]) == ("spgemm", 2):
                    for record in case["records"]:
                        if record["entrant"] == kernel and "phases" in record.get("more", {}):
                            phase = record["more"]["phases"][1]
                            seconds += phase["seconds"]
                            amount += phase["bytes"]
                            cases += 1
            total = next(p for p in whole["phases"]
                         if (p["kernel"], p["name"]) == (kernel, "numeric"))
            self.assertEqual(total["cases"], cases)  # the choice is not counted a second time
            self.assertAlmostEqual(total["seconds"], seconds)
            self.assertAlmostEqual(total["stream_share"], amount / seconds / triad)
        numeric = next(c for c in found["contests"] if c["mode"] == "numeric")
        self.assertEqual(numeric["phases"], [])
        text = self.succeed("bench", "report", EXAMPLE, "--operation", "spgemm")
        self.assertRegex(text, r"phases of +cases +seconds +of the time +GB/s +of STREAM")
        self.assertRegex(text, r"(?m)^spgemm/csr/hash/openmp +symbolic +4 .* 40 % .* %$")
        self.assertNotIn("phases of", self.succeed("bench", "report", EXAMPLE, "--cold"))
        self.example["cases"][-1]["records"][0]["more"] = {"phases": {"sort": 1}}
        self.write("old.jsonl", self.example)
        self.assertIn("phases should be a list", self.refuse(4, "bench", "report", "old.jsonl"))

    def test_kernels_and_baseline(self):
        found = self.succeed_json("bench", "report", EXAMPLE, "--operation", "spmv", "--kernels",
                                  "--baseline", "spmv/csr/rows/openmp")
        host = found["contests"][0]
        self.assertIn("spmv/csr/merge/openmp", [s["contestant"] for s in host["standings"]])
        self.assertTrue(host["duels"])

    def test_cold(self):
        warm, cold = (self.succeed_json("bench", "report", EXAMPLE, *more)["contests"][0]
                      for more in [[], ["--cold"]])
        self.assertLess(cold["standings"][0]["bandwidth_share"],
                        warm["standings"][0]["bandwidth_share"])

    def test_markdown(self):
        text = self.succeed("bench", "report", EXAMPLE, "--markdown", "-")
        self.assertTrue(text.startswith("# Results\n"))
        self.assertIn("| best | 75 % |", text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertTrue(all(line.endswith("|") for line in rows))
        self.assertEqual(self.succeed("bench", "report", EXAMPLE, "--markdown", "r.md"), "")
        self.assertEqual((self.folder / "r.md").read_text(), text)
        done = self.run_program("bench", "report", EXAMPLE, "--json", "--markdown", "-")
        self.assertEqual(done.returncode, 2)

    def test_what_cannot_be_read(self):
        text = EXAMPLE.read_text()
        self.write("broken.json", '{\n  "schema": oops}')
        self.assertIn("line 2, column 13", self.refuse(4, "bench", "report", "broken.json"))
        self.write("cut.jsonl", text[:10000])
        lines = text[:10000].count("\n") + 1
        said = self.refuse(4, "bench", "report", "cut.jsonl")
        self.assertIn(f"cut.jsonl, line {lines}: ", said)
        self.assertIn("ends too early", said)
        self.write("other.json", json.dumps({"matrices": []}))
        self.assertIn("no file of results", self.refuse(4, "bench", "report", "other.json"))
        self.write("newer.jsonl", text.replace("gossamer-bench/2", "gossamer-bench/3"))
        self.assertIn("version 3", self.refuse(4, "bench", "report", "newer.jsonl"))
        del self.example["cases"][1]["records"][0]["error"]
        self.write("gap.jsonl", self.example)
        self.assertIn(f"gap.jsonl, line {3 + len(self.example['cases'][0]['records']) + 1}: ",
                      self.refuse(4, "bench", "report", "gap.jsonl"))
        self.assertIn("nowhere.json", self.refuse(4, "bench", "report", "nowhere.json"))
        self.assertIn("no record that fits",
                      self.refuse(4, "bench", "report", EXAMPLE, "--type", "f32"))


    def test_a_document_of_version_1(self):
        def timing(seconds):
            return {"median": seconds, "min": seconds, "samples": [seconds]}
        record = {"kind": "peer", "backend": "openmp", "mode": "whole", "sorted": True,
                  "gflops": 1.5, "bandwidth_share": 0.5}
        records = [{**record, "contestant": f"peer/{k}",
                    "seconds": {"convert": 0, "prepare": 0, "warm": timing(k)}} for k in (1, 2)]
        context = {**self.example["context"], "peers": []}
        case = {"operation": "spmv", "matrix": {"name": "m", "class": "c"}, "type": "f64",
                "threads": 1, "columns": 1, "work": {"flop": 1, "bytes": 1}, "features": {},
                "choice": None, "records": records, "refused": []}
        self.write("old.json", json.dumps({"schema": "gossamer-bench/1", "context": context,
                                           "cases": [case]}, indent=1))
        found = self.succeed_json("bench", "report", "old.json")
        self.assertEqual(found["contests"][0]["standings"][0]["contestant"], "peer/1")


class Compare(Results):
    def best_on_web(self, case, record):
        return (case["operation"], case["matrix"]["name"], record["entrant"]) == (
            "spmv", "web", "best")

    def test_same(self):
        found = self.succeed_json("bench", "compare", EXAMPLE, EXAMPLE, "--gate")
        self.assertEqual((found["slower"], found["faster"], found["by"]), (0, 0, "time"))
        self.assertEqual(found["only_old"] + found["only_new"], [])

    def test_slower_is_seen_and_gated(self):
        self.changed("new.jsonl", 1.3, self.best_on_web)
        text = self.succeed("bench", "compare", EXAMPLE, "new.jsonl")
        self.assertIn("2 slower, 0 faster", text)
        self.assertIn("spmv web, f64, 1 thread", text)
        done = self.run_program("bench", "compare", EXAMPLE, "new.jsonl", "--gate")
        self.assertEqual(done.returncode, 1)
        self.succeed("bench", "compare", EXAMPLE, "new.jsonl", "--gate", "--threshold", "0.5")
        self.assertIn("0 slower, 2 faster",
                      self.succeed("bench", "compare", "new.jsonl", EXAMPLE, "--gate"))

    def test_noise_is_not_a_change(self):
        document = copy.deepcopy(self.example)
        for case in document["cases"]:
            for record in case["records"]:
                median, count, calls, _, high, low, *quartiles = record["warm"]
                record["warm"] = [median * 1.1, count, calls, low * 0.5, high * 2, low * 0.6,
                                  *quartiles]
        self.write("noisy.jsonl", document)
        self.succeed("bench", "compare", EXAMPLE, "noisy.jsonl", "--gate")

    def test_another_machine_is_compared_by_ratio(self):
        self.changed("other.jsonl", 3, lambda case, record: True, cpu="Other CPU")
        found = self.succeed_json("bench", "compare", EXAMPLE, "other.jsonl", "--gate")
        self.assertEqual((found["by"], found["same_machine"], found["slower"]),
                         ("ratio", False, 0))
        self.assertIn("eigen/product", found["peers"])
        self.assertIn("The machines differ",
                      self.succeed("bench", "compare", EXAMPLE, "other.jsonl"))
        by_time = self.succeed_json("bench", "compare", EXAMPLE, "other.jsonl", "--by", "time")
        self.assertGreater(by_time["slower"], 10)

    def test_only_in_one(self):
        self.write("fewer.jsonl", {**self.example, "cases": self.example["cases"][:-1]})
        found = self.succeed_json("bench", "compare", EXAMPLE, "fewer.jsonl")
        self.assertEqual(found["only_old"], ["spgemm web, f64, 2 threads"])
        self.write("none.jsonl", {**self.example, "cases": []})
        self.assertIn("nothing to compare", self.refuse(4, "bench", "compare", EXAMPLE, "none.jsonl"))


class Roofline(Results):
    def test_measured(self):
        found = self.succeed_json("roofline", "--threads", "1")
        self.assertGreater(found["stream"][0]["triad"], 1e8)
        self.assertGreater(found["caches"][0]["l1"], 0)
        self.assertEqual(found["points"], [])

    def test_points_and_drawing(self):
        text = self.succeed("roofline", "--threads", "1", "--points", EXAMPLE, "--operation",
                            "spgemm", "--svg", "r.svg")
        self.assertNotRegex(text, COLOUR)
        for words in ["memory (triad)", "row by row", "Gossamer", "another machine",
                      "GB/s of the phases", "MFLOP/s of sparse products"]:
            self.assertIn(words, text)
        self.assertRegex(text, r"(?m)^web +spgemm/csr/hash/openmp +[0-9.]+ \([0-9]+ %\) +[0-9.]+ "
                               r"\([0-9]+ %\)$")
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100, line)
        drawing = xml.dom.minidom.parse(str(self.folder / "r.svg")).documentElement
        # Four cases, ours and the fastest peer each, in two panels, and the legends.
        self.assertEqual(len(drawing.getElementsByTagName("circle")), 2 * (8 + 2))

    def check_predictions(self, points, triad):
        self.assertEqual(len(points), 8)  # four cases, ours and the fastest peer each
        for point in points:
            cf = point["compression"]
            self.assertAlmostEqual(point["row"] / (2e-6 * triad * cf / ((2 + cf) * 16)), 1, 6)
            self.assertAlmostEqual(point["row_stored"] / point["row"], 16 / 12, 6)
            self.assertLess(point["outer"], point["row"])
            self.assertLess(point["row"], point["upper"])
            self.assertGreater(point["attained"], 0)

    def test_phases_and_predictions(self):
        found = self.succeed_json("roofline", "--threads", "1", "--points", EXAMPLE)
        self.check_predictions(found["mflops"], found["stream"][-1]["triad"])
        self.assertEqual(len(found["phases"]), 4)  # only sparse products have them here
        for case in found["phases"]:
            self.assertEqual({p["kernel"] for p in case["phases"]},
                             {"spgemm/csr/hash/openmp", "spgemm/csr/esc/openmp"})
            for phase in case["phases"]:
                self.assertGreater(phase["stream_share"], 0)
        none = self.succeed_json("roofline", "--threads", "1", "--points", EXAMPLE, "--operation",
                                 "spmv")
        self.assertEqual(none["phases"], [])

    def test_no_such_points(self):
        self.assertIn("no spmv case with 7 threads",
                      self.refuse(4, "roofline", "--threads", "7", "--points", EXAMPLE,
                                  "--operation", "spmv"))


if __name__ == "__main__":
    unittest.main()
