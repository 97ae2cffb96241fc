#!/usr/bin/env python3
"""Runs `cargo` and shows how far it is: with cargo's own bar on a terminal, else with a line now and then."""

import json
import subprocess
import sys
import threading
import time

# A log without a new line for longer than this looks as if the program hung.
INTERVAL = 15


def cargo(title, arguments, **options):
    """Runs `cargo ARGUMENTS`, and returns its status and the artifacts that it has built or found.

    `title` begins each line. `arguments` select packages with `-p` or `--workspace`, or programs of
    the workspace with `--workspace --bin`.
    """
    print(title, file=sys.stderr, flush=True)
    command = ["cargo", *arguments, "--locked", "--message-format=json-render-diagnostics"]
    has_bar = sys.stderr.isatty()
    if not has_bar:
        command.append("--quiet")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    artifacts, packages = [], set()
    done = threading.Event()
    if not has_bar:
        report = (title, count_packages(arguments, options), packages, done)
        threading.Thread(target=report_regularly, args=report, daemon=True).start()
    for line in process.stdout:
        message = json.loads(line)
        if message["reason"] == "compiler-artifact":
            artifacts.append(message)
            packages.add(message["package_id"])
    status = process.wait()
    done.set()
    return status, artifacts


def count_packages(arguments, options):
    """Returns the number of packages that such a command compiles."""

    def cargo_output(*words):
        return subprocess.run(["cargo", *words, "--locked"], capture_output=True, text=True, **options).stdout

    chosen = list(zip(arguments, arguments[1:]))
    programs = {name for flag, name in chosen if flag == "--bin"}
    selected = [word for pair in chosen if pair[0] == "-p" for word in pair]
    if programs:
        packages = json.loads(cargo_output("metadata", "--no-deps", "--format-version", "1"))["packages"]
        selected = [word for package in packages if programs & {one["name"] for one in package["targets"] if "bin" in one["kind"]}
                    for word in ("-p", package["name"])]
    edges = "normal,build,dev" if "test" in arguments else "normal,build"
    tree = cargo_output("tree", "--edges", edges, "--prefix", "none", "--format", "{p}", *(selected or ["--workspace"]))
    return len({line.split(" (")[0] for line in tree.splitlines() if line})


def report_regularly(title, total, packages, done):
    started = time.monotonic()
    while not done.wait(INTERVAL):
        seconds = time.monotonic() - started
        print(f"{title} … {len(packages)} of {total} crates, {seconds:.0f} s", file=sys.stderr, flush=True)


def main():
    """scripts/progress.py TITLE ARGUMENT...: runs `cargo ARGUMENT...` with this title."""
    title, *arguments = sys.argv[1:]
    return cargo(title, arguments)[0]


if __name__ == "__main__":
    sys.exit(main())
