"""info, convert and generate."""

import gzip
import json
import os
import threading
import unittest

from harness import DATA, ENVIRONMENT, Case


class Info(Case):
    def test_matrix(self):
        found = self.succeed_json("info", "a.mtx")
        self.assertEqual(found["file"]["field"], "real")
        self.assertEqual(found["analysis"]["nnz"], 5)
        text = self.succeed("info", DATA / "1138_bus.mtx.gz")
        for word in ["1,138", "symmetric", "csr", "sellp", "hyb"]:
            self.assertIn(word, text)

    def test_array_file(self):
        self.assertTrue(self.succeed_json("info", "b.mtx")["file"]["dense"])

    def test_why(self):
        for product in ["spmv", "spmm", "spgemm"]:
            for backend in ["reference", "openmp"]:
                found = self.succeed_json("info", "a.mtx", "--why", product, "--on", backend)
                why = found["explanation"]
                self.assertEqual(why["operation"], product)
                self.assertTrue(why["chosen"].startswith(f"{product}/"))
                self.assertTrue(why["chosen"].endswith(f"/{backend}"))
                self.assertIn(why["chosen"], [c["kernel"] for c in why["considered"]])
                self.assertEqual("estimate" in found, product == "spgemm")
        self.assertIn("because", self.succeed("info", "a.mtx", "--why", "spmv"))

    def test_why_with_another_matrix_and_format(self):
        found = self.succeed_json("info", "wide.mtx", "--why", "spgemm", "--times", "a.mtx")
        self.assertEqual(found["estimate"]["flop"], 5)
        found = self.succeed_json("info", "a.mtx", "--why", "spmv", "--format", "sellp", "--calls",
                                  "100")
        self.assertIn("sellp", found["explanation"]["problem"].lower())
        self.assertEqual(found["explanation"]["expected_calls"], 100)

    def test_kernels(self):
        listed = self.succeed_json("info", "--kernels")["kernels"]
        ids = [k["id"] for k in listed]
        self.assertIn("spgemm/csr/hash/openmp", ids)
        text = self.succeed("info", "--kernels")
        for kernel in ids:
            self.assertIn(kernel, text)

    def test_machine(self):
        found = self.succeed_json("info", "--machine")
        self.assertGreaterEqual(found["cores"], 1)
        self.assertEqual(found["stream"][0]["threads"], 1)
        for rate in ["copy", "scale", "add", "triad"]:
            self.assertGreater(found["stream"][0][rate], 1e8)

    def test_the_environment_caps_vector_instructions(self):
        levels = ["portable", "avx2", "avx512"]
        plain = self.succeed_json("info", "--machine", env={**ENVIRONMENT, "GOSSAMER_SIMD": ""})
        self.assertIsNone(plain["simd_cap"])
        self.assertEqual(plain["simd"], plain["simd_processor"])
        for cap in levels:
            capped = {**ENVIRONMENT, "GOSSAMER_SIMD": cap}
            found = self.succeed_json("info", "--machine", env=capped)
            self.assertEqual(found["simd_cap"], cap)
            self.assertEqual(found["simd_processor"], plain["simd"])
            used = min(cap, plain["simd"], key=levels.index)
            self.assertEqual(found["simd"], used)
            text = self.succeed("info", "--machine", env=capped)
            if used == cap:
                self.assertRegex(text, rf"simd +{cap}, as GOSSAMER_SIMD asks; the processor has")
            else:
                self.assertRegex(text, rf"simd +{used}, the widest .*; GOSSAMER_SIMD asks for {cap}")

    def test_an_unknown_level_is_refused(self):
        wrong = {**ENVIRONMENT, "GOSSAMER_SIMD": "sse9"}
        for command in [("info", "--machine"), ("multiply", "a.mtx", "--vector", "ones")]:
            text = self.refuse(2, *command, env=wrong)
            self.assertIn('GOSSAMER_SIMD is "sse9"', text)
            self.assertIn("portable, avx2 or avx512", text)


class Pipes(Case):
    def test_info_reads_a_pipe_once(self):
        os.mkfifo(self.folder / "pipe")
        writer = threading.Thread(
            target=lambda: (self.folder / "pipe").write_bytes((self.folder / "a.mtx").read_bytes()))
        writer.start()
        found = self.succeed_json("info", "pipe", timeout=60)
        writer.join()
        self.assertEqual(found["analysis"]["nnz"], 5)
        self.assertEqual(found["file"]["stored"], 5)
        self.assertEqual(found["file"]["name"], "pipe")


class Convert(Case):
    def test_there_and_back(self):
        for ending in ["mtx", "mtx.gz", "npz", "gsm"]:
            self.succeed("convert", "a.mtx", f"c.{ending}")
            self.succeed("convert", f"c.{ending}", "back.mtx")
            self.assertEqual(self.entries("back.mtx"), self.entries("a.mtx"), ending)

    def test_dense_stays_dense_where_it_can(self):
        for ending in ["mtx", "mtx.gz", "gsm"]:
            self.assertTrue(self.succeed_json("convert", "b.mtx", f"c.{ending}")["dense"])
            self.succeed("convert", f"c.{ending}", "back.mtx")
            self.assertEqual(self.entries("back.mtx"), [[1, 2, 3], [4, 5, 6]], ending)
        self.assertFalse(self.succeed_json("convert", "b.mtx", "c.npz")["dense"])

    def test_npy_is_dense(self):
        self.assertTrue(self.succeed_json("convert", "a.mtx", "c.npy")["dense"])
        self.succeed("convert", "c.npy", "back.mtx")
        self.assertEqual(self.entries("back.mtx"), [[2, 0, 4], [0, 3, 0], [1, 0, 5]])

    def test_format_by_name(self):
        self.succeed("convert", "a.mtx", "plain", "--to", "mtx.gz")
        text = gzip.decompress((self.folder / "plain").read_bytes()).decode()
        self.assertTrue(text.startswith("%%MatrixMarket"))
        found = self.succeed_json("convert", "plain", "odd.name", "--to", "gsm")
        self.assertEqual(found["format"], "gsm")

    def test_to_goes_before_the_ending(self):
        self.succeed("convert", "a.mtx", "c.npz", "--to", "mtx")
        self.assertEqual(self.entries("c.npz"), self.entries("a.mtx"))

    def test_odd_names(self):
        for name in ["with space.mtx", "-dash.mtx", "ünïcode.mtx", "a.b.c.mtx", "semi;colon.mtx"]:
            self.succeed("convert", "a.mtx", f"./{name}")
            self.assertEqual(self.entries(name), self.entries("a.mtx"))
            self.succeed("info", f"./{name}")

    def test_names_as_long_as_file_systems_allow(self):
        for name in ["x" * 251 + ".mtx", "ü" * 125 + ".mtx"]:
            self.succeed("convert", "a.mtx", name)
            self.assertEqual(self.entries(name), self.entries("a.mtx"))
            (self.folder / name).unlink()
        self.assertEqual(self.names(), self.before)

    def test_a_link_to_a_file_that_is_not_there_yet(self):
        (self.folder / "link.mtx").symlink_to("later.mtx")
        self.succeed("convert", "a.mtx", "link.mtx")
        self.assertTrue((self.folder / "link.mtx").is_symlink())
        self.assertEqual(self.entries("later.mtx"), self.entries("a.mtx"))

    def test_data_on_stdout_is_nothing_but_data(self):
        plain = self.run_program("convert", "a.mtx", "plain.mtx")
        for extra in ([], ["--json"]):
            done = self.run_program("convert", "a.mtx", "/dev/stdout", "--to", "mtx", *extra)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stdout, (self.folder / "plain.mtx").read_text())
            self.assertIn("/dev/stdout", done.stderr)
        self.assertIn("plain.mtx", plain.stdout)

    def test_replaces_a_file_and_keeps_it_when_it_fails(self):
        (self.folder / "c.mtx").write_text("precious")
        self.before = self.names()
        self.refuse(4, "convert", "missing.mtx", "c.mtx")
        self.assertEqual((self.folder / "c.mtx").read_text(), "precious")
        self.succeed("convert", "a.mtx", "c.mtx")
        self.assertEqual(self.entries("c.mtx"), self.entries("a.mtx"))

    def test_onto_itself(self):
        self.succeed("convert", "a.mtx", "a.mtx")
        self.assertEqual(self.entries("a.mtx")[2][(3, 1)], 4)

    def test_files_shipped(self):
        for file in sorted(DATA.glob("*.mtx.gz")):
            done = self.run_program("convert", file, "c.gsm", "--json")
            found = json.loads(done.stdout)
            if done.returncode == 0:
                self.assertGreater(found["bytes"], 0)
            else:
                self.assertIn(done.returncode, (3, 4), file)
                self.assertIn(file.name, found["error"]["text"])


class Generate(Case):
    def test_every_recipe_by_its_defaults(self):
        kinds = self.succeed_json("generate", "--list")["kinds"]
        self.assertIn("rmat", [k["kind"] for k in kinds])
        text = self.succeed("generate", "--list")
        for kind in kinds:
            self.assertIn(kind["kind"], text)
            for parameter in kind["parameters"]:
                self.assertIn(f"{parameter['name']}={parameter['default']}", text)

    def test_poisson(self):
        found = self.succeed_json("generate", "poisson2d", "nx=3", "ny=2", "-o", "p.mtx")
        self.assertEqual((found["rows"], found["nnz"]), (6, 6 + 2 * 4 + 2 * 3))
        rows, _, entries = self.entries("p.mtx")
        self.assertEqual(rows, 6)
        self.assertEqual((entries[1, 1], entries[1, 2]), (4, -1))

    def test_same_bytes_for_the_same_seed(self):
        def made(*more):
            self.succeed("generate", "rmat", "scale=8", "edge-factor=4", "-o", "r.mtx", *more)
            return (self.folder / "r.mtx").read_bytes()
        self.assertEqual(made("--threads", "1"), made("--threads", "3"))
        self.assertEqual(made("--seed", "9"), made("seed=9"))
        self.assertNotEqual(made("--seed", "9"), made())


if __name__ == "__main__":
    unittest.main()
