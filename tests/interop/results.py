"""Counts what passed, failed and was skipped, and prints each check as it ends."""

import subprocess
import traceback


class Skip(Exception):
    """The check cannot run here; the text says what is missing."""


class Results:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def of(self, peer):
        return Peer(self, peer)

    def passed_check(self, name):
        self.passed += 1
        print(f"ok    {name}", flush=True)

    def failed_check(self, name, reason):
        self.failed += 1
        print(f"FAIL  {name}\n      " + str(reason).strip().replace("\n", "\n      "), flush=True)

    def skipped_check(self, name, reason):
        self.skipped += 1
        print(f"skip  {name}: {reason}", flush=True)

    def finish(self):
        """Prints the closing line; the exit code."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


class Peer:
    """The checks of one foreign program."""

    def __init__(self, results, name):
        self.results = results
        self.name = name

    def check(self, title, action, *args, **kwargs):
        """Runs `action`; an AssertionError or a timeout fails the check, a Skip skips it.  True when it passed."""
        name = f"{self.name}: {title}"
        try:
            action(*args, **kwargs)
        except Skip as missing:
            self.results.skipped_check(name, missing)
        except (AssertionError, subprocess.TimeoutExpired) as reason:
            self.results.failed_check(name, reason or "assertion failed\n" + traceback.format_exc(limit=-1))
        else:
            self.results.passed_check(name)
            return True
        return False

    def take_over(self, lines):
        """Counts the lines `ok TITLE`, `FAIL TITLE: REASON` and `skip TITLE: REASON` of a peer's own program."""
        seen = 0
        for line in lines:
            verdict, _, rest = line.partition(" ")
            title, _, reason = rest.partition(": ")
            name = f"{self.name}: {title.strip()}"
            if verdict == "ok":
                self.results.passed_check(name)
            elif verdict == "FAIL":
                self.results.failed_check(name, reason)
            elif verdict == "skip":
                self.results.skipped_check(name, reason)
            else:
                continue
            seen += 1
        return seen

    def skip(self, title, reason):
        self.results.skipped_check(f"{self.name}: {title}", reason)
