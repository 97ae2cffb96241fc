#!/usr/bin/env python3
"""Print the code and the tests of each numbered step of the elements of procedure.

Steps:      docs/trace/requirements.tsv   (id, summary)
Exceptions: docs/trace/exceptions.tsv     (id or id*, reason)
Citations:  comments in crates/**/*.rs:   //= rfc3414#3.2-7a          the line that decides
                                          //= rfc3414#3.2-7a
                                          //= type=test               the test that proves it

Exit 1 when a step has neither code and test nor an exception, when an exception is no longer needed, or when a
citation names a step that is not listed.
"""

import argparse
import collections
import pathlib
import re
import sys

CITATION = re.compile(r"^\s*//=\s*(rfc\d+#[\w.]+(?:-[\w-]+)?)\s*$")
TEST_MARK = re.compile(r"^\s*//=\s*type=test\s*$")
ANY_MARK = re.compile(r"^\s*//=")


class Places:
    """The places that cite one step."""

    def __init__(self):
        self.code = []
        self.test = []


def main():
    args = parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    steps = read_table(root / "docs/trace/requirements.tsv")
    exceptions = read_table(root / "docs/trace/exceptions.tsv")
    cited = read_citations(root)

    problems = []
    print_steps(steps, exceptions, cited, problems, args.verbose)
    check_exceptions(steps, exceptions, cited, problems)
    check_unknown(steps, cited, problems)
    print_summary(steps, exceptions, cited)
    for problem in problems:
        print(f"trace: {problem}", file=sys.stderr)
    return 1 if problems else 0


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", "--verbose", action="store_true", help="all places of a step instead of the first")
    return parser.parse_args()


def read_table(path):
    """The id and text of each line, in file order."""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        identifier, separator, text = line.partition("\t")
        if not separator or not text.strip():
            sys.exit(f"{path}:{number}: expected an id, a tab and a text")
        if identifier in table:
            sys.exit(f"{path}:{number}: {identifier} is listed twice")
        table[identifier] = text
    return table


def read_citations(root):
    cited = collections.defaultdict(Places)
    for path in sorted((root / "crates").rglob("*.rs")):
        lines = path.read_text().splitlines()
        name = path.relative_to(root)
        for index, line in enumerate(lines):
            found = CITATION.match(line)
            if not found:
                continue
            places = cited[found.group(1)]
            (places.test if is_test(lines, index + 1) else places.code).append(f"{name}:{index + 1}")
    return cited


def is_test(lines, index):
    """True if the citations at `index` belong to a test; several citations may share one mark."""
    while index < len(lines) and ANY_MARK.match(lines[index]):
        if TEST_MARK.match(lines[index]):
            return True
        index += 1
    return False


def exception_for(step, exceptions):
    for identifier, reason in exceptions.items():
        if step == identifier or (identifier.endswith("*") and step.startswith(identifier[:-1])):
            return reason
    return None


def print_steps(steps, exceptions, cited, problems, verbose):
    rfc = None
    for step, summary in steps.items():
        if step.split("#")[0] != rfc:
            rfc = step.split("#")[0]
            print(f"\n{rfc.upper().replace('RFC', 'RFC ')}")
        places = cited.get(step, Places())
        reason = exception_for(step, exceptions)
        print(f"  {step.split('#')[1]:<14} {summary}")
        if reason and not (places.code and places.test):
            print(f"  {'':<14}   exception: {reason}")
            continue
        print(f"  {'':<14}   code {shown(places.code, verbose)}")
        print(f"  {'':<14}   test {shown(places.test, verbose)}")
        missing = [kind for kind, found in (("code", places.code), ("test", places.test)) if not found]
        if missing:
            problems.append(f"{step}: no {' and no '.join(missing)}, and no exception")


def shown(places, verbose):
    if not places:
        return "-"
    if verbose or len(places) == 1:
        return ", ".join(places)
    return f"{places[0]} (+{len(places) - 1})"


def check_exceptions(steps, exceptions, cited, problems):
    for identifier in exceptions:
        covered = [s for s in steps if s == identifier or (identifier.endswith("*") and s.startswith(identifier[:-1]))]
        if not covered:
            problems.append(f"exceptions.tsv: {identifier} is not a listed step")
        elif all(cited.get(s, Places()).code and cited.get(s, Places()).test for s in covered):
            problems.append(f"exceptions.tsv: {identifier} has code and test now; remove the exception")


def check_unknown(steps, cited, problems):
    for identifier, places in sorted(cited.items()):
        if identifier not in steps:
            first = (places.code + places.test)[0]
            problems.append(f"{first}: {identifier} is not in docs/trace/requirements.tsv")


def print_summary(steps, exceptions, cited):
    done = sum(1 for s in steps if s in cited and cited[s].code and cited[s].test)
    excepted = sum(1 for s in steps if exception_for(s, exceptions))
    print(f"\n{len(steps)} steps: {done} with code and test, {excepted} with an exception")


if __name__ == "__main__":
    sys.exit(main())
