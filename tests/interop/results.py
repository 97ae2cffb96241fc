"""Counts passed, failed and skipped checks, prints each check as it ends, and repeats the failed ones at the end.

On Debian 12, where all peers can be installed, a check that is skipped but not listed in
`expected_skips.txt` fails.
"""

import fnmatch
import os
import pathlib
import subprocess
import traceback


class Skip(Exception):
    """Skips a check that cannot run here; the message names what is missing."""


class Results:
    def __init__(self, has_expected_skips=True):
        self.passed = self.skipped = 0
        self.failures = []
        self.expected_skips = read_expected_skips() if has_expected_skips and has_all_peers() else None

    def for_peer(self, peer):
        return Peer(self, peer)

    def record_passed(self, name):
        self.passed += 1
        print(f"ok    {name}", flush=True)

    def record_failed(self, name, reason):
        failure = f"FAIL  {name}\n      " + str(reason).strip().replace("\n", "\n      ")
        self.failures.append(failure)
        print(failure, flush=True)

    def record_skipped(self, name, reason):
        if self.expected_skips is not None and not is_expected(f"{name}: {reason}", self.expected_skips):
            return self.record_failed(name, f"skipped, but not listed in {EXPECTED_SKIPS.name}: {reason}")
        self.skipped += 1
        print(f"skip  {name}: {reason}", flush=True)

    def counts(self):
        return {"passed": self.passed, "skipped": self.skipped, "failures": self.failures}

    def add(self, counts):
        self.passed += counts["passed"]
        self.skipped += counts["skipped"]
        self.failures += counts["failures"]

    def finish(self):
        """Prints the failed checks again, which may be hundreds of lines above, and the summary line.

        Returns the exit code.
        """
        if self.expected_skips is None:
            print(f"{EXPECTED_SKIPS.name} is not checked: it lists the skipped checks of portreeved on Debian 12, as root")
        for failure in self.failures:
            print(failure)
        print(f"{self.passed} passed, {len(self.failures)} failed, {self.skipped} skipped")
        return 1 if self.failures or not self.passed else 0


class Peer:
    """The checks of one third-party program."""

    def __init__(self, results, name):
        self.results = results
        self.name = name

    def check(self, title, action, *args, **kwargs):
        """Runs `action` and returns True if it passed.

        An AssertionError or a timeout fails the check, a Skip skips it.
        """
        name = f"{self.name}: {title}"
        try:
            action(*args, **kwargs)
        except Skip as missing:
            self.results.record_skipped(name, missing)
        except (AssertionError, subprocess.TimeoutExpired) as reason:
            self.results.record_failed(name, reason or "assertion failed\n" + traceback.format_exc(limit=-1))
        else:
            self.results.record_passed(name)
            return True
        return False

    def record_lines(self, lines):
        """Counts the lines `ok TITLE`, `FAIL TITLE: REASON` and `skip TITLE: REASON` of a program.

        Returns the number of these lines.
        """
        count = 0
        for line in lines:
            verdict, _, rest = line.partition(" ")
            title, _, reason = rest.partition(": ")
            name = f"{self.name}: {title.strip()}"
            if verdict == "ok":
                self.results.record_passed(name)
            elif verdict == "FAIL":
                self.results.record_failed(name, reason)
            elif verdict == "skip":
                self.results.record_skipped(name, reason)
            else:
                continue
            count += 1
        return count

    def skip(self, title, reason):
        self.results.record_skipped(f"{self.name}: {title}", reason)


EXPECTED_SKIPS = pathlib.Path(__file__).with_name("expected_skips.txt")


def read_expected_skips():
    lines = EXPECTED_SKIPS.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def is_expected(skip, patterns):
    return any(fnmatch.fnmatchcase(skip, pattern) for pattern in patterns)


def has_all_peers():
    """Returns True on the system for which the list was made."""
    system = pathlib.Path("/etc/os-release")
    return os.geteuid() == 0 and system.exists() and 'VERSION_ID="12"' in system.read_text()
