#!/usr/bin/env python3
"""Check that documents refer to things that exist.

- Each path such as `crates/smi/src/oid.rs`, `docs/attacks.md` or `scripts/setup` in a document exists.
- Each relative link leads to a file, and its fragment to a heading.
- Each type in the glossary is defined in the file beside it.
- Each test that a document names after its file, as in `crates/x/tests/a.rs`: `test_name`, is defined there.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Documents that list old names on purpose.
SKIPPED = ("docs/renames.md", "CHANGELOG.md")

PATH = re.compile(r"`((?:crates|docs|scripts|tests|fuzz|third-party)/[\w./-]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TESTS = re.compile(r"`([\w./-]+\.rs)`: (`\w+`(?:, `\w+`)*)")
GLOSSARY_ROW = re.compile(r"\| `(\w+)` \| `([\w./-]+)` \|$", re.MULTILINE)


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    problems = []
    for document in listed:
        if document not in SKIPPED and (ROOT / document).is_file():
            text = (ROOT / document).read_text(encoding="utf-8")
            problems += check(ROOT, document, text)
            if document == "docs/glossary.md":
                problems += check_glossary(ROOT, document, text)
    for problem in problems:
        print(problem)
    if problems:
        print(f"references: {len(problems)} findings", file=sys.stderr)
    return 1 if problems else 0


def check(root, document, text):
    """Paths, names of tests and links of one document that lead nowhere."""
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for match in PATH.finditer(text):
        if not (root / match[1].rstrip("/")).exists():
            yield f"{document}:{line_of(text, match)}: {match[1]} does not exist"
    for match in TESTS.finditer(text):
        file = root / match[1]
        code = file.read_text(encoding="utf-8") if file.exists() else ""
        for name in re.findall(r"\w+", match[2]):
            if not re.search(r"#\[test\]\s+(?:#\[.*\]\s+)*fn %s\(" % name, code):
                yield f"{document}:{line_of(text, match)}: {match[1]} has no test {name}"
    for match in LINK.finditer(text):
        target, _, fragment = match[1].partition("#")
        if "://" in target:
            continue
        file = (root / document).parent / target if target else root / document
        if not file.exists():
            yield f"{document}:{line_of(text, match)}: link to {match[1]}: there is no such file"
        elif fragment and fragment not in anchors(file.read_text(encoding="utf-8")):
            yield f"{document}:{line_of(text, match)}: link to {match[1]}: there is no such heading"


def anchors(text):
    """The fragments that the headings of a Markdown document have."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_glossary(root, document, text):
    """Types of the glossary that are not defined in the file beside them."""
    for match in GLOSSARY_ROW.finditer(text):
        file = root / match[2]
        defined = re.compile(r"\b(?:struct|enum|trait|type)\s+%s\b" % match[1])
        if file.exists() and not defined.search(file.read_text(encoding="utf-8")):
            yield f"{document}:{line_of(text, match)}: {match[1]} is not defined in {match[2]}"


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


if __name__ == "__main__":
    sys.exit(main())
