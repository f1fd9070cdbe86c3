"""Signals, terminals and completion."""

import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from harness import COMPLETION, ENVIRONMENT, PROGRAM, Case

# Compressing this takes seconds: long enough to be caught in the act on any machine.
LARGE = ["generate", "er", "scale=18", "edge-factor=16", "-o", "large.mtx.gz"]
PATIENCE = 300


class Signals(Case):
    def test_an_interrupted_write_leaves_nothing(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                       signal.SIGXCPU]:
            with subprocess.Popen([PROGRAM, *LARGE], cwd=self.folder, env=ENVIRONMENT,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
                deadline = time.monotonic() + PATIENCE
                while self.names() == self.before and running.poll() is None:
                    self.assertLess(time.monotonic(), deadline, "no file appeared")
                    time.sleep(0.01)
                self.assertIsNone(running.poll(), "it ended before it could be interrupted")
                running.send_signal(number)
                said = running.communicate(timeout=PATIENCE)
            self.assertEqual(running.returncode, -number, "it ends by the signal itself")
            self.assertEqual(said, (b"", b""))
            self.assertEqual(self.names(), self.before)

    def test_signals_ignored_by_the_caller_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with subprocess.Popen([PROGRAM, "generate", "rmat", "scale=16", "-o", "r.mtx.gz"],
                              cwd=self.folder, env=ENVIRONMENT, preexec_fn=ignore,
                              stdout=subprocess.DEVNULL) as running:
            while self.names() == self.before and running.poll() is None:
                time.sleep(0.01)
            running.send_signal(signal.SIGHUP)
            self.assertEqual(running.wait(timeout=PATIENCE), 0)


class Terminals(Case):
    def on_terminal(self, *arguments, stream, **environment):
        """What the program sends to a terminal that is its stdout or stderr."""
        try:
            ours, theirs = pty.openpty()
        except OSError as refusal:  # a container without /dev/pts
            self.skipTest(f"no pseudo-terminal to be had: {refusal}")
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
        with subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder,
                              env={**ENVIRONMENT, **environment}, **streams) as running:
            os.close(theirs)
            seen = b""
            while select.select([ours], [], [], PATIENCE)[0]:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if not part:
                    break
                seen += part
            os.close(ours)
            self.assertEqual(running.wait(timeout=PATIENCE), 0)
        return seen.decode()

    def test_progress_on_a_terminal_only(self):
        arguments = ["generate", "rmat", "scale=15", "-o", "r.mtx.gz"]
        seen = self.on_terminal(*arguments, stream="stderr", GOSSAMER_PROGRESS_AFTER="0")
        self.assertIn("writing r.mtx.gz", seen)
        self.assertTrue(seen.endswith("\r\033[K"), "the line is erased at the end")
        self.succeed(*arguments, env={**ENVIRONMENT, "GOSSAMER_PROGRESS_AFTER": "0"})

    def test_nothing_is_shown_for_short_work(self):
        self.assertEqual(self.on_terminal("info", "a.mtx", stream="stderr"), "")

    def test_colours_on_a_terminal_only(self):
        self.assertIn("\033[", self.on_terminal("info", "--kernels", stream="stdout"))
        self.assertNotIn("\033[", self.on_terminal("info", "--kernels", stream="stdout",
                                                   NO_COLOR="1"))
        self.assertNotIn("\033[", self.on_terminal("info", "--kernels", stream="stdout",
                                                   TERM="dumb"))
        self.assertNotIn("\033[", self.succeed("info", "--kernels"))


class Completion(Case):
    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_gossamer "$1" "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", str(COMPLETION), PROGRAM, *words],
                              cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                              check=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return [line for line in done.stdout.splitlines() if line]

    def test_commands(self):
        self.assertEqual(self.complete("mu"), ["multiply"])
        self.assertIn("--version", self.complete(""))

    def test_values(self):
        self.assertEqual(self.complete("multiply", "a.mtx", "--on", "r"), ["reference"])
        self.assertEqual(self.complete("info", "a.mtx", "--why", "spg"), ["spgemm"])
        self.assertIn("spmv/csr/merge/openmp", self.complete("multiply", "--algorithm", "spmv/"))
        self.assertEqual(self.complete("multiply", "--algorithm", "mer"), ["merge"])
        self.assertEqual(self.complete("bench", "spm"), ["spmv", "spmm"])
        self.assertIn("standard", self.complete("bench", "spmv", "--suite", "st"))

    def test_files(self):
        (self.folder / "notes.md").write_text("")  # .txt may be an edge list
        (self.folder / "sub").mkdir()
        self.assertEqual(sorted(self.complete("info", "")),
                         ["a.mtx", "b.mtx", "sub", "wide.mtx", "x.mtx"])
        self.assertEqual(self.complete("multiply", "a.mtx", "--times", "wi"), ["wide.mtx"])
        self.assertEqual(self.complete("multiply", "a.mtx", "--vector", "on"), ["ones"])

    def test_recipes(self):
        self.assertEqual(self.complete("generate", "rma"), ["rmat"])
        self.assertIn("scale=", self.complete("generate", "rmat", "sc"))
        self.assertEqual(self.complete("generate", "poisson2d", "sc"), [])

    def test_every_option_of_every_command_is_offered(self):
        for command in [["info"], ["multiply"], ["convert"], ["generate"], ["bench", "spmv"],
                        ["bench", "spmm"], ["bench", "spgemm"], ["bench", "convert"],
                        ["bench", "report"], ["bench", "compare"], ["roofline"]]:
            text = self.succeed(*command, "--help").split("Examples:")[0]
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(
                line for line in text.splitlines() if line.startswith("  -"))))
            options = {o for o in options if f"{o} " in text or f"{o}," in text}
            offered = self.complete(*command, "-")
            self.assertTrue(options, command)
            self.assertEqual(options - set(offered), set(), command)


if __name__ == "__main__":
    unittest.main()
