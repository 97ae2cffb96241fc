"""Counts passed, failed and skipped checks, and prints each check as it ends."""

import subprocess
import traceback


class Skip(Exception):
    """Skips a check that cannot run here; the message names what is missing."""


class Results:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def for_peer(self, peer):
        return Peer(self, peer)

    def record_passed(self, name):
        self.passed += 1
        print(f"ok    {name}", flush=True)

    def record_failed(self, name, reason):
        self.failed += 1
        print(f"FAIL  {name}\n      " + str(reason).strip().replace("\n", "\n      "), flush=True)

    def record_skipped(self, name, reason):
        self.skipped += 1
        print(f"skip  {name}: {reason}", flush=True)

    def finish(self):
        """Prints the summary line and returns the exit code."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


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
