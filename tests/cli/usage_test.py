"""Help, versions, refusals: what the program says and how it ends."""

import json
import os
import subprocess
import unittest

from harness import ENVIRONMENT, PROGRAM, WITHOUT_BENCH, Case

COMMANDS = ["info", "multiply", "convert", "generate", "bench spmv"]


class Help(Case):
    def test_alone_it_shows_help_and_is_bad_usage(self):
        done = self.run_program()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        for command in COMMANDS:
            self.assertIn(command.split()[0], done.stderr)

    def test_top_level_help_has_examples_and_exit_codes(self):
        text = self.succeed("--help")
        self.assertIn("Examples:", text)
        self.assertIn("Exit codes: 0 done, 1 wrong result", text)

    def test_every_command_has_help_with_examples(self):
        for command in COMMANDS:
            text = self.succeed(*command.split(), "--help")
            self.assertIn(f"gossamer {command} ", text)
            self.assertIn("Examples:", text)
            self.assertIn("--json", text)

    def test_version(self):
        first = self.succeed("--version").splitlines()[0]
        self.assertRegex(first, r"^gossamer \d+\.\d+\.\d+$")


class WithoutBench(Case):
    def test_the_runner_says_how_it_is_built(self):
        for words in (["bench"], ["bench", "spmv", "a.mtx", "--compare", "all"], ["roofline"],
                      ["bench", "report", "--help"]):
            text = self.refuse(3, *words, program=WITHOUT_BENCH)
            self.assertIn("this build has no benchmark runner; configure with -DGOSSAMER_BENCH=ON",
                          text)

    def test_the_refusal_is_also_json(self):
        done = self.run_program("bench", "spmv", "a.mtx", "--json", program=WITHOUT_BENCH)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["error"]["exit_code"], 3)

    def test_everything_else_is_there(self):
        self.assertIn("Not in this build", self.succeed("--help", program=WITHOUT_BENCH))
        self.succeed("multiply", "a.mtx", "--square", "--check", program=WITHOUT_BENCH)


class Threads(Case):
    def test_more_than_the_runtime_can_start(self):
        # A segmentation fault of the OpenMP runtime, once.
        many = {**ENVIRONMENT, "OMP_NUM_THREADS": "100000"}
        self.succeed("multiply", "a.mtx", "--square", "--check", env=many)
        self.refuse(2, "multiply", "a.mtx", "--square", "--threads", "100000")
        self.succeed("multiply", "a.mtx", "--square", "--check", "--threads", "1024")


    def test_more_than_the_system_lets_start(self):
        # 300 stacks of 8 MB in 600 MB. The OpenMP runtime used to end the process with code 1,
        # which means a wrong result.
        narrow = ["sh", "-c", 'ulimit -s 8192; ulimit -v 600000; exec "$0" "$@"', PROGRAM]
        if subprocess.run([*narrow, "--version"], stdout=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("this build cannot run in little address space")
        self.succeed("generate", "rmat", "scale=12", "edge-factor=8", "-o", "r.gsm")
        words = [*narrow, "multiply", "r.gsm", "--square", "--check", "--threads", "300", "--json"]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True,
                              env=ENVIRONMENT, check=False)
        # Fewer threads; the stacks of those may leave too little for the product itself.
        self.assertIn(done.returncode, (0, 5), done.stderr)
        if done.returncode == 0:
            self.assertTrue(json.loads(done.stdout)["check"]["right"])
        else:
            self.assertIn("memory", done.stderr)
        (self.folder / "r.gsm").unlink()


class EmptyValues(Case):
    def test_a_variable_that_was_not_set_is_no_value(self):
        for option in ("--alpha", "--beta", "--memory-limit", "-o", "--algorithm", "--threads"):
            text = self.refuse(2, "multiply", "a.mtx", "--vector", "ones", option, "")
            self.assertIn("is empty", text)
        self.refuse(2, "info", "")
        self.refuse(2, "generate", "rmat", "scale=4", "--seed", "")


class BadUsage(Case):
    def test_unknown_words(self):
        self.assertIn("--nonsense", self.refuse(2, "multiply", "a.mtx", "--nonsense"))
        self.refuse(2, "nonsense")
        self.refuse(2, "multiply")
        self.refuse(2, "info")
        self.refuse(2, "info", "a.mtx", "--kernels")
        self.refuse(2, "info", "--kernels", "--why", "spmv")

    def test_hint_names_the_command(self):
        self.assertIn("'gossamer multiply --help'", self.refuse(2, "multiply", "a.mtx", "--bad"))

    def test_one_right_factor(self):
        self.refuse(2, "multiply", "a.mtx")
        self.refuse(2, "multiply", "a.mtx", "--square", "--vector", "ones")
        self.refuse(2, "multiply", "a.mtx", "--dense", "0")
        self.refuse(2, "multiply", "a.mtx", "--dense", "-3")

    def test_sizes(self):
        for size in ["2X", "-1", "0", "nan", "1e3", "99999999T", "G", "1.5.5G", ""]:
            text = self.refuse(2, "multiply", "a.mtx", "--square", f"--memory-limit={size}")
            self.assertIn("memory-limit", text)
        for size in ["1G", "1g", "512M", "1.5GiB", "4000000", "300KB"]:
            self.succeed("multiply", "a.mtx", "--square", "--memory-limit", size)

    def test_unknown_values(self):
        self.refuse(2, "multiply", "a.mtx", "--square", "--on", "abacus")
        self.refuse(2, "multiply", "a.mtx", "--square", "--type", "f16")
        self.refuse(2, "multiply", "a.mtx", "--square", "--format", "ellipse")
        self.refuse(2, "multiply", "a.mtx", "--square", "--threads", "-1")
        self.refuse(2, "multiply", "a.mtx", "--square", "--threads", "2", "--on", "reference")
        self.refuse(2, "info", "a.mtx", "--why", "spam")

    def test_unknown_algorithm_lists_what_exists(self):
        text = self.refuse(2, "multiply", "a.mtx", "--square", "--algorithm", "magic")
        self.assertIn("hash", text)
        self.assertIn("paper", text)
        self.assertNotIn("paper", self.refuse(2, "multiply", "a.mtx", "--vector", "ones", "--algorithm", "magic"))

    def test_output_name_is_checked_before_any_work(self):
        self.assertIn(".mtx", self.refuse(2, "multiply", "missing.mtx", "--square", "-o", "c.txt"))
        self.refuse(2, "multiply", "a.mtx", "--vector", "ones", "-o", "y.npz")
        self.refuse(2, "multiply", "a.mtx", "--square", "-o", "y.npy")
        self.refuse(2, "generate", "poisson2d", "-o", "g.npy")
        self.refuse(2, "generate", "poisson2d")
        self.refuse(2, "generate", "-o", "g.mtx")
        self.refuse(2, "convert", "a.mtx", "out")

    def test_generate_names_what_it_knows(self):
        self.assertIn("rmat", self.refuse(2, "generate", "nonsense", "-o", "g.mtx"))
        self.assertIn("nx", self.refuse(2, "generate", "poisson2d", "height=3", "-o", "g.mtx"))
        self.refuse(2, "generate", "poisson2d", "nx=three", "-o", "g.mtx")


class NotAvailable(Case):
    def test_cuda_when_it_is_absent(self):
        machine = self.succeed_json("info", "--machine")
        if machine["backends"]["cuda"]["available"]:
            self.skipTest("this machine has a GPU")
        text = self.refuse(3, "multiply", "a.mtx", "--square", "--on", "cuda")
        self.assertRegex(text, "CUDA|NVIDIA")  # not built, or nothing to run it on
        self.refuse(3, "info", "a.mtx", "--why", "spmv", "--on", "cuda")
        for operation in ("spmv", "convert"):
            self.refuse(3, "bench", operation, "a.mtx", "--on", "cuda")

    def test_algorithm_of_another_backend(self):
        text = self.refuse(3, "multiply", "a.mtx", "--vector", "ones", "--on", "reference",
                           "--algorithm", "merge")
        self.assertIn("spmv/csr/merge/openmp", text)


class BadInput(Case):
    def test_missing_and_unreadable_files(self):
        self.assertIn("missing.mtx", self.refuse(4, "info", "missing.mtx"))
        self.refuse(4, "info", ".")
        self.refuse(4, "multiply", "a.mtx", "--times", "missing.mtx")
        self.refuse(4, "multiply", "a.mtx", "--vector", "missing.mtx")
        self.refuse(4, "convert", "missing.mtx", "out.gsm")
        self.refuse(4, "bench", "spmv", "missing.mtx")
        if os.geteuid() != 0:
            (self.folder / "a.mtx").chmod(0)
            self.refuse(4, "info", "a.mtx")

    def test_broken_files_are_named_with_line(self):
        cases = {"empty": b"", "noise": bytes(range(256)), "banner": b"%%MatrixMarket nothing\n",
                 "short": b"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n",
                 "word": b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 x 1\n",
                 "range": b"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 1\n",
                 "liar": b"%%MatrixMarket matrix coordinate real general\n3 3 9999999999999\n1 1 1\n",
                 "zip": b"PK\x03\x04 nothing", "gz": b"\x1f\x8b\x08 nothing"}
        for name, content in cases.items():
            (self.folder / f"{name}.mtx").write_bytes(content)
        self.before = self.names()
        for name in cases:
            self.assertIn(f"{name}.mtx", self.refuse(4, "info", f"{name}.mtx"))
        self.assertIn("3", self.refuse(4, "info", "word.mtx"))

    def test_shapes_that_do_not_fit_are_named(self):
        text = self.refuse(4, "multiply", "a.mtx", "--times", "wide.mtx")
        self.assertIn("3 x 3", text)
        self.assertIn("2 x 3", text)
        self.assertIn("2 x 3", self.refuse(4, "multiply", "wide.mtx", "--square"))
        self.assertIn("2 x 1", self.refuse(4, "multiply", "wide.mtx", "--transpose-a", "--vector",
                                           "x.mtx"))
        self.refuse(4, "multiply", "a.mtx", "--vector", "b.mtx")
        self.refuse(4, "info", "wide.mtx", "--why", "spgemm")

    def test_output_that_cannot_be_written(self):
        self.assertIn("nowhere", self.refuse(4, "multiply", "a.mtx", "--square", "-o",
                                             "nowhere/c.mtx"))
        self.refuse(4, "convert", "a.mtx", ".", "--to", "mtx")
        self.refuse(4, "bench", "spmv", "a.mtx", "--out", "nowhere/r.json")

    def test_full_disk_of_stdout(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            self.refuse(4, "info", "a.mtx", stdout=full)
            # More than a buffer: the first write fails, not the last.
            self.refuse(4, "info", "--kernels", stdout=full)
            self.refuse(4, "info", "--kernels", "--json", stdout=full)

    def test_stderr_that_is_closed_or_full(self):
        for redirection in ("2>&-", "2>/dev/full"):
            for code, arguments in [(2, ["nonsense"]), (4, ["info", "missing.mtx"]),
                                    (5, ["multiply", "a.mtx", "--square", "--memory-limit", "10"])]:
                words = ["sh", "-c", f'exec "$0" "$@" --json {redirection}', PROGRAM, *arguments]
                done = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                      env=ENVIRONMENT, check=False)
                self.assertEqual(done.returncode, code, redirection)
                self.assertEqual(json.loads(done.stdout)["error"]["exit_code"], code)


class Seeds(Case):
    def test_do_not_wrap(self):
        for seed in ("-1", "18446744073709551616", "1e3", "0x10", "7 "):
            text = self.refuse(2, "multiply", "a.mtx", "--vector", "random", "--seed", seed)
            self.assertIn("2^64 - 1", text)
            self.refuse(2, "generate", "rmat", "scale=4", "--seed", seed, "-o", "r.mtx")
        self.succeed("multiply", "a.mtx", "--vector", "random", "--seed", str(2**64 - 1))


class OutOfMemory(Case):
    def test_limit_of_dense_results(self):
        # y takes 24 bytes, C 48.
        self.refuse(5, "multiply", "a.mtx", "--vector", "ones", "--memory-limit", "24")
        self.succeed("multiply", "a.mtx", "--vector", "ones", "--memory-limit", "10000")
        self.refuse(5, "multiply", "a.mtx", "--dense", "2", "--memory-limit", "48")
        self.succeed("multiply", "a.mtx", "--dense", "2", "--memory-limit", "10000")

    def test_limit(self):
        text = self.refuse(5, "multiply", "a.mtx", "--square", "--memory-limit", "10")
        self.assertIn("10 bytes", text)

    def test_system_refuses(self):
        self.assertIn("memory", self.refuse(5, "multiply", "a.mtx", "--dense", str(2**40)))


class JsonErrors(Case):
    def test_every_class_is_an_object_on_stdout(self):
        cases = [(2, "bad usage", ["multiply", "a.mtx"]),
                 (2, "bad usage", ["multiply", "a.mtx", "--square", "--type", "f16"]),
                 (4, "io", ["info", "missing.mtx"]),
                 (5, "memory limit", ["multiply", "a.mtx", "--square", "--memory-limit", "10"])]
        for code, kind, arguments in cases:
            done = self.run_program(*arguments, "--json")
            self.assertEqual(done.returncode, code)
            found = json.loads(done.stdout)["error"]
            self.assertEqual(found["exit_code"], code)
            if kind != "io":
                self.assertEqual(found["kind"], kind)
            self.assertIn(found["text"], done.stderr)

    def test_file_names_that_are_not_text(self):
        name = os.fsencode(self.folder) + b"/\xff\xfe.mtx"
        done = self.run_program("info", os.fsdecode(name), "--json", env=ENVIRONMENT)
        self.assertEqual(done.returncode, 4)
        json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
