#!/usr/bin/env python3
"""Check comments, texts, names and documents against the rules of plain English that a machine can check.

    scripts/lint/language.py               the whole project
    scripts/lint/language.py PATH...       these files and folders only

The rules, each with the name that an exception cites:

    word        no word of the list WORDS, in prose, string literals or identifiers
    opening     no documentation comment begins with What, Who, Whom, Whose, Whoever, Whether, Where or How, and neither does a
                docstring, the `doc` text of an option, or a requirement of docs/trace/requirements.tsv
    is-no       not "is no directory" but "is not a directory"; "is no longer" and "there is no" are fine
    width       no comment line is longer than 100 columns
    test-name   no test name begins with one of those words, or is longer than 72 characters

An exception is a line of scripts/lint/exceptions.tsv: file, identifier (the text that the exception is about), reason.
At most 30, and each must still be needed.
"""

import pathlib
import re
import subprocess
import sys

import rust_text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAX_EXCEPTIONS = 30
MAX_COMMENT_WIDTH = 100
MAX_TEST_NAME = 72

WORDS = """
    anybody appetite appetites asker borne doorkeeper doorkeepers errand errands farewell hall halls hear heard hears hearsay leash
    leashes meanwhile nobody nonsense patience seat seats somebody stranger strangers tell telling tells thereof therein tiding
    tidings told toll tolls unasked whoever whom whomever whomsoever whosoever
""".split()
OPENINGS = "what who whom whose whoever whether where how".split()

# Phrases that are wrong although their words are not. `guest` alone is a user of the tests, of the demo and of the examples.
PHRASES = (
    r"other\s+ends?",
    r"(?:an?|the|this|that|each|every|another|any|other|no|new|its|their)\s+guests?",
    r"(?<![\"'`])guests",
)

WORD = re.compile(r"\b(?:%s)\b" % "|".join([*PHRASES, *WORDS]), re.IGNORECASE)
WORD_IN_NAME = re.compile(r"(?:^|_)(?:%s)(?:_|$)|(?:_|^)other_end(?:_|$)|_guests?(?:_|$)|(?:^|_)guests?_" % "|".join(WORDS))
OPENING = re.compile(r"(?:%s)\b(?!-)" % "|".join(OPENINGS), re.IGNORECASE)
IS_NO = re.compile(r"(?<!\bthere )\b(?:is|are|was|were)\s+no\s+(?!longer\b|more\s+than\b|less\s+than\b|later\s+than\b)[a-z]+", re.IGNORECASE)
IDENTIFIER = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*\b")
TEST = re.compile(r"#\[(?:tokio::)?test[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)")

# Files that are generated from checked sources, or that contain no prose of this project.
SKIPPED = ("docs/man/", "docs/completions/", "docs/renames.md", "fuzz/corpus/", "scripts/lint/", "tests/interop/recordings/",
           "tests/interop/mibs/")


class Finding:
    """One place that breaks a rule."""

    def __init__(self, path, line, rule, text):
        self.path, self.line, self.rule, self.text = path, line, rule, text

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


def main():
    wanted = sys.argv[1:]
    findings = [finding for path in files(wanted) for finding in check(path)]
    exceptions = read_exceptions()
    used = set()
    left = []
    for finding in findings:
        excepted = [key for key in exceptions if key[0] == finding.path and key[1].lower() in finding.text.lower()]
        used.update(excepted)
        if not excepted:
            left.append(finding)
    for finding in left:
        print(finding)
    problems = len(left)
    if not wanted:
        for path, identifier in sorted(set(exceptions) - used):
            print(f"scripts/lint/exceptions.tsv: the exception for {identifier!r} in {path} is no longer needed: remove it")
            problems += 1
        if len(exceptions) > MAX_EXCEPTIONS:
            print(f"scripts/lint/exceptions.tsv: {len(exceptions)} exceptions; at most {MAX_EXCEPTIONS} are allowed")
            problems += 1
    if problems:
        print(f"language: {problems} findings", file=sys.stderr)
    return 1 if problems else 0


def files(wanted):
    """The tracked files below the wanted paths, or all of them."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *wanted], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return [path for path in listed if not path.startswith(SKIPPED) and (ROOT / path).is_file()]


def check(path):
    """The findings in one file, by its kind."""
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
    if path.endswith(".rs"):
        checker = check_rust
    elif path.endswith(".md"):
        checker = check_prose
    elif path == "docs/trace/requirements.tsv":
        checker = check_requirements
    elif path.endswith((".toml", ".py", ".sh", ".js", ".tsv")) or path == "Makefile" or text.startswith("#!"):
        checker = check_script
    else:
        return []
    return [Finding(path, *finding) for finding in checker(text)]


def check_rust(text):
    """The findings in Rust source, each as (line, rule, text)."""
    block_ends, is_option_text = None, False
    for kind, line, piece in rust_text.pieces(text):
        if kind == rust_text.CODE:
            yield from names(piece, line)
            is_option_text = bool(re.search(r"\bdoc:\s*$", piece))
            # Attributes and code end a documentation block; a line break alone does not.
            block_ends = None
            continue
        yield from prose(piece, line)
        if kind == rust_text.STRING and is_option_text and OPENING.match(piece.lstrip('r#"')):
            yield line, "opening", piece[:100]
        if kind == rust_text.COMMENT and piece.startswith("//") and not piece.startswith("//="):
            # A block continues in the next line with the same mark.
            mark = piece[:3]
            if mark in ("///", "//!") and block_ends != (mark, line - 1):
                opening = OPENING.match(piece[3:].lstrip(" `*["))
                if opening:
                    yield line, "opening", piece.strip()
            block_ends = (mark, line)
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("//") and len(line) > MAX_COMMENT_WIDTH and not unbreakable(line):
            yield number, "width", f"{len(line)} columns: {line.strip()[:60]}…"
    code = rust_text.without_comments_and_strings(text)
    for test in TEST.finditer(code):
        yield from test_name(test[1], code.count("\n", 0, test.start(1)) + 1)


def names(code, line):
    """Words of the list in identifiers."""
    for match in IDENTIFIER.finditer(code):
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", match[0]).lower()
        if WORD_IN_NAME.search(snake):
            yield line + code.count("\n", 0, match.start()), "word", match[0]


def test_name(name, line):
    """The name of a test, if it begins with one of OPENINGS or is too long."""
    # Tests of the attack list begin with its number.
    subject = re.sub(r"^[a-z]\d+_", "", name)
    if subject.split("_")[0] in OPENINGS:
        yield line, "test-name", name
    if len(name) > MAX_TEST_NAME:
        yield line, "test-name", f"{name} ({len(name)} characters)"


def prose(text, line):
    """Words of the list, and "is no X", in prose."""
    for rule, pattern in (("word", WORD), ("is-no", IS_NO)):
        for match in pattern.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            context = text[start:end if end >= 0 else None].strip()
            yield line + text.count("\n", 0, match.start()), rule, f"{' '.join(match[0].split())!r} in: {context[:100]}"


def check_prose(text):
    """The findings in a document."""
    yield from prose(text, 1)


def check_script(text):
    """The findings in a script or a settings file: prose anywhere, and the width of comments."""
    yield from prose(text, 1)
    for docstring in re.finditer(r'"""\s*(\w[^\n]*)', text):
        if OPENING.match(docstring[1]):
            yield text.count("\n", 0, docstring.start(1)) + 1, "opening", docstring[1][:100]
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#") and len(line) > MAX_COMMENT_WIDTH and not unbreakable(line):
            yield number, "width", f"{len(line)} columns: {line.strip()[:60]}…"


def check_requirements(text):
    """The findings in the table of requirements: those of a script, and the openings of its texts."""
    yield from check_script(text)
    for number, line in enumerate(text.split("\n"), 1):
        requirement = line.partition("\t")[2]
        if OPENING.match(requirement):
            yield number, "opening", requirement[:100]


def unbreakable(line):
    """A line with a link, a table row or a citation, which cannot be broken."""
    return "://" in line or line.lstrip("/!# ").startswith("|") or line.lstrip().startswith("//=")


def read_exceptions():
    """The exceptions, as (file, identifier) → reason."""
    exceptions = {}
    path = pathlib.Path(__file__).resolve().parent / "exceptions.tsv"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3 or not all(fields):
            sys.exit(f"{path}:{number}: expected file, identifier and reason, separated by tabs")
        exceptions[fields[0], fields[1]] = fields[2]
    return exceptions


if __name__ == "__main__":
    sys.exit(main())
