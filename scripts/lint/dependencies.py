#!/usr/bin/env python3
"""Check all third-party crates against deny.toml: their licenses, their sources, and crates that must not be used.

Also checks that the version of each crate stands in the root Cargo.toml only.

cargo-deny reads the same file; it would have to be built first, which takes longer than all other checks of text together.
Only it can compare the crates with the database of advisories.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    # Cargo.lock also contains crates that no feature selects.
    tree = cargo("tree", "--workspace", "--all-features", "--target", "all", "--prefix", "none")
    used = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    manifests = {path.relative_to(ROOT): tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("crates/*/Cargo.toml"))}
    findings = [*check(rules, [one for one in packages if (one["name"], f"v{one['version']}") in used]), *own_versions(manifests)]
    for finding in findings:
        print(finding)
    if findings:
        print(f"dependencies: {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def check(rules, packages):
    """Yields a line for each package and dependency that the rules do not allow."""
    banned = {rule["name"] for rule in rules["bans"]["deny"]}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if package["name"] in banned:
            yield f"{name}: deny.toml bans this crate: see `cargo tree --invert {package['name']}`"
        if package["source"] not in (None, REGISTRY):
            yield f"{name}: {package['source']} is not a source that deny.toml allows"
        if not is_allowed(package["license"] or "", allowed_licenses(rules, package["name"])):
            yield f"{name}: deny.toml does not allow the license {package['license']!r}"
        for dependency in package["dependencies"] if package["source"] is None else []:
            if dependency["req"] == "*" and dependency.get("path") is None:
                yield f"{name}: the version of {dependency['name']} is a wildcard: state one in the root Cargo.toml"


def own_versions(manifests):
    """Yields a line for each dependency whose version a member states itself."""
    for path, manifest in manifests.items():
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, value in manifest.get(kind, {}).items():
                if isinstance(value, str) or not {"workspace", "path"} & set(value):
                    yield f"{path}: write `{name}.workspace = true`, and the version of {name} in the root Cargo.toml"


def allowed_licenses(rules, crate):
    """Returns the licenses that the crate may have."""
    exceptions = [rule["allow"] for rule in rules["licenses"].get("exceptions", []) if rule["crate"] == crate]
    return {*rules["licenses"]["allow"], *(license for allowed in exceptions for license in allowed)}


def is_allowed(expression, allowed):
    """Returns true if the SPDX expression can be met by allowed licenses. A slash is an old form of OR."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def any_of():
        nonlocal position
        result = all_of()
        while position < len(tokens) and tokens[position] == "OR":
            position += 1
            result = all_of() or result
        return result

    def all_of():
        nonlocal position
        result = one()
        while position < len(tokens) and tokens[position] == "AND":
            position += 1
            result = one() and result
        return result

    def one():
        nonlocal position
        if position >= len(tokens):
            return False
        token = tokens[position]
        position += 1
        if token == "(":
            result = any_of()
            position += 1
            return result
        if position < len(tokens) and tokens[position] == "WITH":
            token = " ".join(tokens[position - 1:position + 2])
            position += 2
        return token in allowed

    return any_of() and position == len(tokens)


if __name__ == "__main__":
    sys.exit(main())
