#!/usr/bin/env python3
"""Check the crates against the tiers in scripts/lint/tiers.toml and in ARCHITECTURE.md.

- Each crate belongs to one tier, and ARCHITECTURE.md lists the same crates in the same tiers.
- Dependencies point to lower tiers; an edge within a tier is listed with its reason.
- Pure crates depend on nothing that does I/O, directly or indirectly, and do not call it from the standard library.
- A quarantined library is a direct dependency of the crates that may use it, and of no other crate.
- `unsafe` occurs only in the crates that may contain it.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

import rust_text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIERS = pathlib.Path(__file__).resolve().parent / "tiers.toml"
PREFIX = "portreeve-"


def main():
    rules = tomllib.loads(TIERS.read_text(encoding="utf-8"))
    packages = read_packages()
    problems = [
        *crate_list(rules, packages),
        *architecture(rules, (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")),
        *edges(rules, packages),
        *quarantine(rules, packages),
        *pure_dependencies(rules, read_closures(rules, packages)),
        *code(rules, read_sources(packages)),
    ]
    for problem in problems:
        print(problem)
    if problems:
        print(f"tiers: {len(problems)} findings", file=sys.stderr)
    return 1 if problems else 0


def read_packages():
    """Each crate of the workspace, by folder: its normal and build dependencies by package name."""
    metadata = json.loads(run("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))
    packages = {}
    for package in metadata["packages"]:
        folder = pathlib.Path(package["manifest_path"]).parent.name
        dependencies = {one["name"] for one in package["dependencies"] if one["kind"] != "dev"}
        packages[folder] = dependencies
    return packages


def read_closures(rules, packages):
    """All direct and indirect dependencies of each pure crate."""
    closures = {}
    for crate in crates(rules, lambda tier: tier.get("pure")):
        if crate in packages:
            tree = run("cargo", "tree", "--locked", "-p", PREFIX + crate, "-e", "normal", "--prefix", "none")
            closures[crate] = {line.split()[0] for line in tree.splitlines() if line}
    return closures


def read_sources(packages):
    """The source files of each crate: (crate, path, text without comments, strings and tests)."""
    for crate in sorted(packages):
        folder = ROOT / "crates" / crate / "src"
        only_tests = set()
        texts = {}
        for path in sorted(folder.rglob("*.rs")):
            text = rust_text.without_comments_and_strings(path.read_text(encoding="utf-8"))
            texts[path] = text
            for module in re.findall(r"#\[cfg\((?:test|any\(test[^\]]*)\)\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", text):
                parent = path.parent if path.name in ("lib.rs", "main.rs", "mod.rs") else path.with_suffix("")
                only_tests.add(parent / module)
        for path, text in texts.items():
            if not any(part == path.with_suffix("") or part in path.parents for part in only_tests):
                yield crate, path, rust_text.without_tests(text)


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def crates(rules, wanted=lambda tier: True):
    """The crates of the wanted tiers."""
    return [crate for tier in rules["tier"] if wanted(tier) for crate in tier["crates"]]


def crate_list(rules, packages):
    """Crates without a tier, and tiers with crates that do not exist."""
    listed = crates(rules) + rules["tools"]["crates"]
    for crate in sorted(set(packages) - set(listed)):
        yield f"scripts/lint/tiers.toml: crate {crate} has no tier: add it to one"
    for crate in sorted(set(listed) - set(packages)):
        yield f"scripts/lint/tiers.toml: there is no crate {crate}: remove it"
    for crate in sorted({crate for crate in listed if listed.count(crate) > 1}):
        yield f"scripts/lint/tiers.toml: crate {crate} is in more than one tier"


def architecture(rules, text):
    """Differences between the tiers and the crate table of ARCHITECTURE.md."""
    shown, tier = {}, None
    for row in re.findall(r"^\|(.*?)\|", text, re.MULTILINE):
        if heading := re.fullmatch(r"\s*\*\*(\w+)\*\*\s*", row):
            tier = heading[1]
            shown.setdefault(tier, set())
        elif tier and re.fullmatch(r"(\s*`[a-z0-9-]+`,?)+\s*", row):
            shown[tier].update(re.findall(r"`([a-z0-9-]+)`", row))
        elif tier:
            break
    for tier in rules["tier"]:
        name = tier["name"]
        for crate in sorted(set(tier["crates"]) - shown.get(name, set())):
            yield f"ARCHITECTURE.md: the crate table does not list {crate} in tier {name}"
        for crate in sorted(shown.get(name, set()) - set(tier["crates"])):
            yield f"ARCHITECTURE.md: the crate table lists {crate} in tier {name}, scripts/lint/tiers.toml does not"


def edges(rules, packages):
    """Dependencies that point upwards, or sideways without a reason; reasons for edges that do not exist."""
    height = {crate: -at for at, tier in enumerate(rules["tier"]) for crate in tier["crates"]}
    listed, used = rules["edges"], set()
    for crate in sorted(set(packages) & set(height)):
        for package in sorted(packages[crate]):
            dependency = package.removeprefix(PREFIX)
            if not package.startswith(PREFIX):
                continue
            edge = f"{crate} -> {dependency}"
            if dependency in rules["tools"]["crates"] or height.get(dependency, height[crate]) > height[crate]:
                yield f"crates/{crate}/Cargo.toml: {edge} points upwards"
            elif height.get(dependency) == height[crate] and edge not in listed:
                yield f"crates/{crate}/Cargo.toml: {edge} stays within its tier: list it in scripts/lint/tiers.toml with a reason"
            used.add(edge)
    for edge in sorted(set(listed) - used):
        yield f"scripts/lint/tiers.toml: the edge {edge!r} does not exist: remove it"


def quarantine(rules, packages):
    """Direct dependencies on libraries that other crates quarantine."""
    for crate in sorted(set(packages) - set(rules["tools"]["crates"])):
        for package in sorted(packages[crate] & set(rules["only"])):
            allowed = rules["only"][package]
            if crate not in allowed:
                yield f"crates/{crate}/Cargo.toml: only {', '.join(allowed)} may depend on {package}"


def pure_dependencies(rules, closures):
    """Pure crates that reach a library that does I/O."""
    for crate, closure in closures.items():
        for package in sorted(closure & set(rules["pure"]["dependencies"])):
            yield f"crates/{crate}/Cargo.toml: a pure crate must not depend on {package}: see `cargo tree -p {PREFIX}{crate} -i {package}`"


def code(rules, sources):
    """Calls that pure crates must not make, and `unsafe` where it is forbidden."""
    pure = set(crates(rules, lambda tier: tier.get("pure")))
    for crate, path, text in sources:
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        if crate in pure:
            for exception in rules["pure"]["except"]:
                text = path_pattern(exception).sub("", text)
            for line, name in sorted(forbidden_paths(rules["pure"]["code"], text)):
                yield f"{shown}:{line}: a pure crate must not use {name}"
        if crate not in rules["unsafe"]["crates"]:
            for match in re.finditer(r"\bunsafe\b(?!_)", text):
                yield f"{shown}:{line_of(text, match)}: unsafe is allowed in {', '.join(rules['unsafe']['crates'])} only"


def forbidden_paths(names, text):
    """The uses of forbidden paths: written in full, imported, or below an imported module or type; as (line, name)."""
    found = set()
    for name in names:
        found.update((line_of(text, match), name) for match in path_pattern(name).finditer(text))
    for declaration in re.finditer(r"\buse\s+([^;]+);", text):
        for path, alias in expand_use(declaration[1]):
            for name in names:
                parent, _, last = name.rpartition("::")
                if path_pattern(name).search(path) or (parent and path == parent + "::*"):
                    found.add((line_of(text, declaration), name))
                elif parent and re.search(rf"(?:^|::){re.escape(parent)}$", path):
                    # `use std::io;` makes `io::stdout` the same as `std::io::stdout`.
                    found.update((line_of(text, match), name) for match in path_pattern(f"{alias}::{last}").finditer(text))
    return found


def path_pattern(name):
    """Matches a path at the end of any longer path, so that `std::time::Instant::now` is an `Instant::now`."""
    return re.compile(r"(?<!\w)" + re.escape(name).replace("::", r"\s*::\s*") + r"(?!\w)")


def expand_use(tree):
    """The paths that a use declaration imports, each with its local name."""
    before, brace, rest = tree.partition("{")
    if not brace:
        path, _, alias = (part.strip() for part in re.sub(r"\s+as\s+", " as ", tree).partition(" as "))
        path = re.sub(r"\s", "", path).removeprefix("::")
        yield path, alias or path.rpartition("::")[2]
        return
    prefix = re.sub(r"\s", "", before).removeprefix("::")
    for part in split_at_commas(rest[:rest.rindex("}")]):
        for path, alias in expand_use(part):
            if path == "self":
                path = prefix.removesuffix("::")
                alias = path.rpartition("::")[2] if alias == "self" else alias
                yield path, alias
            else:
                yield prefix + path, alias


def split_at_commas(text):
    """The parts between commas that are outside braces."""
    depth, start = 0, 0
    for at, letter in enumerate(text + ","):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            if text[start:at].strip():
                yield text[start:at]
            start = at + 1


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


if __name__ == "__main__":
    sys.exit(main())
