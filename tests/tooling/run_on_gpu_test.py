"""tools/run-on-gpu and tools/pack-for-gpu, on a machine without a GPU: stand-ins play the driver, the
tests and the benchmark, and the script must tell what works from what does not."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
NEEDED = ("awk bash cat cut date dirname env grep head ldd ln mkdir readlink rm sed sleep sort tail "
          "timeout tr wc").split()

DRIVER = 'echo "NVIDIA Test, 580.1, 1000 MiB"'
TESTS = """case "$*" in
  *--gtest_list_tests*) printf 'spmv/csr/merge/cuda.\\n  empty/f32\\n  empty/f64\\n' ;;
  *) echo '[       OK ] spmv/csr/merge/cuda.empty/f64'; echo '[  PASSED  ] 2 tests.' ;;
esac"""
NO_TESTS = 'case "$*" in *list*) exit 0 ;; *) echo "[  PASSED  ] 0 tests." ;; esac'
BENCH = """echo "$*" >>"$(dirname "$0")/calls"
while (($# > 1)); do
  if [[ $1 == --out ]]; then printf '%s\\n' '{"entrants":{ENTRANTS}}' '{"operation":"spmv"}' '["merge",1]' '["cusparse",1]' >"$2"; fi
  shift
done"""
KERNEL = '"merge":{"kind":"kernel","kernel":"spmv/csr/merge/cuda"}'
PEER = '"cusparse":{"kind":"peer","kernel":null}'
MISSING = '"missing":{"name":"cusparse","why":"no such library"}'
SANITIZER = """while [[ $1 != */tests/* ]]; do shift; done; "$@" """


class Machine:
    """A folder with a bundle, and a PATH with nothing but what a plain system has."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.path, self.bundle, self.out = (self.folder / name for name in ("path", "bundle", "out"))
        for place in (self.path, self.bundle / "bin", self.bundle / "tests", self.bundle / "peers"):
            place.mkdir(parents=True)
        for name in NEEDED:
            (self.path / name).symlink_to(shutil.which(name))
        self.script("path/nvidia-smi", DRIVER)
        self.script("path/compute-sanitizer", SANITIZER)
        self.script("bundle/tests/conformance", TESTS)
        self.benchmark(KERNEL, PEER)

    def benchmark(self, *entrants):
        self.script("bundle/bin/gossamer", BENCH.replace("ENTRANTS", ",".join(entrants)))

    def script(self, name, text):
        file = self.folder / name
        file.write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
        file.chmod(0o755)

    def run(self, *options):
        done = subprocess.run(
            [shutil.which("bash"), str(TOOLS / "run-on-gpu"), str(self.bundle), "--out", str(self.out), *options],
            capture_output=True, text=True, timeout=120, cwd=self.folder, env={"PATH": str(self.path)})
        return done.returncode, done.stdout + done.stderr

    def calls(self):
        return (self.bundle / "bin/calls").read_text(encoding="utf-8").splitlines()


class OnMachine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = Machine(folder.name)

    def assert_refused(self, words, *options):
        status, output = self.machine.run(*options)
        self.assertEqual(status, 2, output)
        self.assertIn(words, output)
        self.assertFalse(self.machine.out.exists())

    def assert_stage(self, status, *lines, options=()):
        """The exit code, and for each of `lines` ("stage result", "words") a row of the summary."""
        code, output = self.machine.run(*options)
        self.assertEqual(code, status, output)
        summary = (self.machine.out / "summary.md").read_text(encoding="utf-8")
        for stage, words in lines:
            name, result = stage.split()
            rows = [row for row in summary.splitlines() if row.startswith(f"| {name} | {result} |")]
            self.assertTrue(rows and words in rows[0], f"{stage}, {words}:\n{summary}")


class RunOnGpu(OnMachine):
    def test_everything_right(self):
        self.assert_stage(0, ("conformance passed", "2 tests, none skipped"),
                          ("memcheck passed", "1 tests clean"), ("synccheck passed", ""),
                          ("spmv measured", "cuda-spmv.jsonl, 2 records"), ("spgemm measured", ""))
        calls = self.machine.calls()
        self.assertEqual(len(calls), 4)
        for operation, call in zip(("spmv", "convert", "spmm", "spgemm"), calls):
            against = "" if operation == "convert" else "--compare cusparse "
            if operation == "spgemm":
                against += "--type f64,f32 --case-seconds 0.2 --expected-calls 1000 "
            if operation == "spmm":
                against += ("--columns 1,8,32,64,128,256 --type f32,f64 --expected-calls 1000 "
                            "--case-seconds 0.05 ")
            self.assertTrue(call.startswith(
                f"bench {operation} --suite standard --on cuda {against}--time-limit "), call)

    def test_the_shares_stay_within_the_limit(self):
        self.machine.run("--time-limit", "100")
        limits = [int(call.split("--time-limit ")[1].split()[0]) for call in self.machine.calls()]
        # 3/4 of 3/10, then 1/7, 2/6 and all of what is left: the stand-ins use next to nothing.
        for given, most in zip(limits, (22, 10, 24, 71)):
            self.assertTrue(most - 8 < given <= most, limits)

    def test_a_benchmark_that_does_not_end_is_ended(self):
        self.machine.script("bundle/bin/gossamer", "sleep 100")
        began = time.monotonic()
        self.assert_stage(1, ("spmv FAILED", "did not keep to its time limit"),
                          ("spmm FAILED", ""), ("spgemm FAILED", ""), options=["--time-limit", "30"])
        self.assertLess(time.monotonic() - began, 30)

    def test_every_stage_keeps_the_limit(self):
        for name in ("tests/conformance", "tests/unit_cuda"):
            self.machine.script(f"bundle/{name}", TESTS.replace("*) echo", "*) sleep 100; echo"))
        self.machine.script("bundle/bin/gossamer", "sleep 100")
        began = time.monotonic()
        self.assert_stage(1, ("conformance FAILED", "out of time"), ("unit FAILED", "out of time"),
                          ("racecheck-unit unfinished", ""), ("spmv FAILED", ""),
                          ("spgemm FAILED", ""), options=["--time-limit", "24"])
        self.assertLess(time.monotonic() - began, 24)

    def stages(self):
        rows = (self.machine.out / "summary.md").read_text(encoding="utf-8").splitlines()
        return [row.split("|")[1].strip() for row in rows if row.startswith("| ")][2:]

    def test_only_some_stages(self):
        self.assert_stage(0, ("spmv measured", ""), options=["--only", "conformance,spmv,spgemm"])
        self.assertEqual(self.stages(), ["conformance", "spmv", "spgemm"])
        self.assertEqual([call.split()[1] for call in self.machine.calls()], ["spmv", "spgemm"])

    def test_one_stage_has_all_of_the_time(self):
        self.assert_stage(0, ("spmm measured", ""), options=["--only", "spmm", "--time-limit", "100"])
        limit = int(self.machine.calls()[0].split("--time-limit ")[1].split()[0])
        self.assertTrue(63 < limit <= 71, limit)

    def test_only_the_sanitizers(self):
        self.assert_stage(0, ("memcheck passed", ""), options=["--only=sanitizer"])
        self.assertEqual(self.stages(), ["memcheck", "initcheck", "synccheck", "racecheck"])

    def test_a_kernel_is_expected_where_there_is_one_although_none_was_tested(self):
        self.machine.benchmark(PEER)
        self.assert_stage(1, ("spmv FAILED", "no record of a GPU kernel"), options=["--only", "spmv"])

    def test_stages_that_are_not_there(self):
        self.assert_refused("there is no stage 'spam'", "--only", "spmv,spam")
        self.assert_refused("the host is measured with --host", "--only", "spmv-host")

    def test_the_host_too(self):
        self.assert_stage(0, ("spmv-host measured", "openmp-spmv.jsonl"), options=["--host"])
        self.assertEqual(len(self.machine.calls()), 7)

    def test_no_driver(self):
        (self.machine.path / "nvidia-smi").unlink()
        self.assert_refused("No NVIDIA GPU here: there is no nvidia-smi")

    def test_a_driver_without_a_device(self):
        self.machine.script("path/nvidia-smi", "echo 'No devices were found'; exit 6")
        self.assert_refused("nvidia-smi says: No devices were found")

    def test_not_a_bundle(self):
        (self.machine.bundle / "tests/conformance").unlink()
        self.assert_refused("is not there: is ")

    def test_a_time_limit_that_is_none(self):
        self.assert_refused("takes whole seconds, not 'long'", "--time-limit", "long")

    def test_a_skipped_test_is_a_failure(self):
        self.machine.script("bundle/tests/conformance", TESTS.replace(
            "[  PASSED  ] 2 tests.", "[  PASSED  ] 1 test.'; echo '[  SKIPPED ] 1 test."))
        self.assert_stage(1, ("conformance FAILED", "1 of 2 passed, 1 skipped"))

    def test_tests_that_vanish_are_a_failure(self):
        self.machine.script("bundle/tests/conformance", TESTS.replace("PASSED  ] 2", "PASSED  ] 1"))
        self.assert_stage(1, ("conformance FAILED", "1 of 2 passed, 0 skipped"))

    def test_a_failing_test(self):
        self.machine.script("bundle/tests/conformance",
                            TESTS.replace("esac", "esac; case \"$*\" in *list*) ;; *) exit 1 ;; esac"))
        self.assert_stage(1, ("conformance FAILED", "exit code 1"), ("spmv measured", ""))

    def test_a_build_without_gpu_kernels(self):
        self.machine.script("bundle/tests/conformance", NO_TESTS)
        self.assert_stage(1, ("conformance FAILED", "no GPU kernels"), ("spmv measured", ""))

    def test_peers_only(self):
        self.machine.script("bundle/tests/conformance", NO_TESTS)
        self.machine.benchmark(PEER)
        self.assert_stage(0, ("conformance none", "no GPU kernels"), ("spmv measured", ""),
                          options=["--peers-only"])

    def test_what_a_sanitizer_finds(self):
        self.machine.script("path/compute-sanitizer",
                            'echo "========= ERROR SUMMARY: 3 errors"; [[ $2 != racecheck ]] || exit 86')
        self.assert_stage(1, ("racecheck FAILED", "ERROR SUMMARY: 3 errors"), ("memcheck passed", ""))

    def test_a_benchmark_that_fails(self):
        self.machine.script("bundle/bin/gossamer", "echo 'spmv is wrong'; exit 1")
        self.assert_stage(1, ("spmv FAILED", "exit code 1: spmv is wrong"), ("spgemm FAILED", ""))

    def test_a_benchmark_without_results(self):
        self.machine.script("bundle/bin/gossamer", "true")
        self.assert_stage(1, ("spmv FAILED", "no results were written"))

    def test_a_benchmark_without_the_peer(self):
        self.machine.benchmark(KERNEL, MISSING)
        self.assert_stage(1, ("spmv FAILED", 'no record of cuSPARSE: "why":"no such library"'))

    def test_a_benchmark_without_our_kernels(self):
        self.machine.benchmark(PEER)
        # The tests speak of SpMV only: of the other products no kernel is expected.
        self.assert_stage(1, ("spmv FAILED", "no record of a GPU kernel"), ("spmm measured", ""))

    def test_unit_tests(self):
        self.machine.script("bundle/tests/unit_cuda", "echo '[  PASSED  ] 7 tests.'")
        self.assert_stage(0, ("unit passed", "7 tests"))
        self.machine.script("bundle/tests/unit_cuda", '[[ -z $GOSSAMER_REQUIRE_GPU ]]')
        self.assert_stage(1, ("unit FAILED", "exit code 1"))

    def test_nothing_outlives_the_limit(self):
        self.machine.script("bundle/tests/conformance", TESTS.replace("*) echo", "*) sleep 100; echo"))
        self.assert_stage(1, ("conformance FAILED", "out of time"), ("memcheck unfinished", ""),
                          options=["--time-limit", "12"])

    def test_old_results_do_not_count(self):
        self.machine.out.mkdir()
        (self.machine.out / "cuda-spmv.jsonl").write_text("{}", encoding="utf-8")
        self.machine.script("bundle/bin/gossamer", "true")
        self.assert_stage(1, ("spmv FAILED", "no results were written"))


class PackForGpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        for name in ("cli/gossamer", "tests/conformance/conformance", "peers/gossamer_peer_cusparse.so",
                     "peers/gossamer_peer_eigen.so"):
            file = self.build / name
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(shutil.which("true"), file)

    def pack(self, *options):
        done = subprocess.run([str(TOOLS / "pack-for-gpu"), str(self.build), *options],
                              capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def test_a_bundle(self):
        self.assertEqual(self.pack()[0], 0)
        bundle = self.build / "gpu-bundle"
        for name in ("bin/gossamer", "tests/conformance", "run-on-gpu", "COMMIT",
                     "peers/gossamer_peer_cusparse.so"):
            self.assertTrue((bundle / name).is_file(), name)
        self.assertTrue(os.access(bundle / "run-on-gpu", os.X_OK))
        self.assertFalse((bundle / "peers/gossamer_peer_eigen.so").exists())

    def test_a_shared_library_is_carried_once(self):
        compiler = shutil.which("c++") or shutil.which("g++")
        if compiler is None:
            self.skipTest("there is no compiler")
        source = self.build / "library.cpp"
        source.write_text("int answer() { return 42; }", encoding="utf-8")
        library = self.build / "libgossamer.so.0"
        subprocess.run([compiler, "-g", "-shared", "-fPIC", "-Wl,-soname,libgossamer.so.0", str(source),
                        "-o", str(library)], check=True)
        source.write_text("int answer(); int main() { return answer() == 42 ? 0 : 1; }", encoding="utf-8")
        for name in ("cli/gossamer", "tests/conformance/conformance"):
            subprocess.run([compiler, str(source), str(library), "-o", str(self.build / name),
                            "-Wl,-rpath,$ORIGIN/../lib", f"-Wl,-rpath,{self.build}"], check=True)
        status, output = self.pack()
        self.assertEqual(status, 0, output)
        bundle = self.build / "gpu-bundle"
        self.assertEqual(len(list(bundle.rglob("libgossamer*"))), 1)
        self.assertLess((bundle / "lib/libgossamer.so.0").stat().st_size, library.stat().st_size, "stripped")
        library.unlink()  # what is left is the bundle's
        for name in ("bin/gossamer", "tests/conformance"):
            self.assertEqual(subprocess.run([str(bundle / name)]).returncode, 0)

    def test_all_peers_and_again(self):
        self.assertEqual(self.pack()[0], 0)
        self.assertEqual(self.pack("--all-peers")[0], 0)
        self.assertTrue((self.build / "gpu-bundle/peers/gossamer_peer_eigen.so").is_file())

    def test_a_build_without_the_peer(self):
        (self.build / "peers/gossamer_peer_cusparse.so").unlink()
        status, output = self.pack()
        self.assertEqual(status, 0, output)
        self.assertIn("no plug-in for cuSPARSE", output)

    def test_a_folder_of_someone_else_is_left_alone(self):
        other = self.build / "mine"
        other.mkdir()
        status, output = self.pack("--out", str(other))
        self.assertEqual(status, 1)
        self.assertIn("not a bundle; not replaced", output)
        self.assertTrue(other.is_dir())

    def test_a_build_that_is_not_finished(self):
        (self.build / "cli/gossamer").unlink()
        status, output = self.pack()
        self.assertEqual(status, 1)
        self.assertIn("build it first", output)


if __name__ == "__main__":
    unittest.main()
