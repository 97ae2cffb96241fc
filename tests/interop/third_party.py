"""Packages of PyPI, npm and Maven Central, below target/. If PORTREEVE_CACHE names a directory, they are stored there.

`tests/interop/fetch` fetches them. The tests only look for them.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

TARGET = pathlib.Path(__file__).resolve().parents[2] / "target"
TRIES, PAUSE = 3, 5
# A file that is written after the packages, and lists them.
STAMP = "packages.txt"


class FetchError(Exception):
    """A package cannot be fetched, or its content is not as expected."""


def find(name, packages):
    """Returns the directory of these packages, or the reason why there is none."""
    stamp = TARGET / name / STAMP
    if stamp.is_file() and stamp.read_text() == contents(packages):
        return stamp.parent, None
    return None, f"{packages[0]} has not been fetched (tests/interop/fetch fetches it)"


def fetch(name, packages, install):
    """Calls `install` with an empty directory and the packages, and prints a line, unless they have been fetched before."""
    if find(name, packages)[0]:
        return
    home = folder(name, packages)
    if not find(name, packages)[0]:
        print(f"fetching {' '.join(packages)}", flush=True)
        shutil.rmtree(home)
        home.mkdir()
        install(home, packages)
        (home / STAMP).write_text(contents(packages))


def folder(name, packages):
    """Returns a directory for these packages. In a cache, it has a name of its own, and target/ gets a link to it."""
    path = TARGET / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    if not os.environ.get("PORTREEVE_CACHE"):
        path.mkdir(exist_ok=True)
        return path
    shutil.rmtree(path, ignore_errors=True)
    key = hashlib.sha256(contents(packages).encode()).hexdigest()[:16]
    stored = pathlib.Path(os.environ["PORTREEVE_CACHE"]).resolve() / f"{path.name}-{key}"
    stored.mkdir(parents=True, exist_ok=True)
    path.symlink_to(stored)
    return stored


def contents(packages):
    # A venv works only with the interpreter that has created it.
    return "\n".join([sys.version, *packages])


# --- the registries


def pypi(home, packages):
    run(sys.executable, "-m", "venv", home)
    run(home / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)


def npm(home, packages):
    run("npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent", "--prefix", home, *packages, cwd=home)


def maven(home, packages):
    for package in packages:
        run("mvn", "--batch-mode", "--quiet", "--strict-checksums", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
            f"-Dartifact={package}", f"-DoutputDirectory={home}", "-Dmdep.overWriteReleases=true", cwd=home)


def run(*argv, cwd=None):
    """Returns the output of a command, which is tried several times."""
    for remaining in reversed(range(TRIES)):
        try:
            done = subprocess.run(list(map(str, argv)), stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=cwd)
        except FileNotFoundError:
            raise FetchError(f"{argv[0]} is not installed") from None
        if done.returncode == 0:
            return done.stdout
        if remaining:
            time.sleep(PAUSE)
    reason = (done.stderr or done.stdout).strip().splitlines()
    raise FetchError(f"{' '.join(map(str, argv[:4]))} failed: {reason[-1] if reason else 'no output'}")
