#!/usr/bin/env python3
"""Tests of the checks in this directory and of scripts/mutants: each rule with what it must find and what it must accept."""

import collections
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest

import dependencies
import language
import references
import rust_text
import tiers


def rules_of(checker, text):
    return [rule for _, rule, _ in checker(text)]


class Pieces(unittest.TestCase):
    def test_lexer_separates_comments_strings_and_code(self):
        source = 'let a = "x // \\" y"; // note\nlet b = r#"q " r"#; /* c */ let c = \'"\'; fn f<\'a>() {}'
        kinds = [(kind, line) for kind, line, _ in rust_text.pieces(source)]
        self.assertEqual(kinds, [("code", 1), ("string", 1), ("code", 1), ("comment", 1), ("code", 1), ("string", 2), ("code", 2),
                                 ("comment", 2), ("code", 2)])

    def test_rust_test_modules_are_removed_from_code(self):
        code = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { c(); } }\n#[cfg(test)]\nmod more;\nfn d() {}"
        left = rust_text.without_tests(code)
        self.assertIn("fn a", left)
        self.assertIn("fn d", left)
        self.assertNotIn("fn b", left)
        self.assertNotIn("more", left)
        self.assertEqual(left.count("\n"), code.count("\n"))


class Dependencies(unittest.TestCase):
    RULES = {"licenses": {"allow": ["MIT", "Apache-2.0"], "exceptions": [{"crate": "paths", "allow": ["MPL-2.0"]}]},
             "bans": {"deny": [{"name": "ring"}]}}

    def findings(self, name="a", license="MIT", source=dependencies.REGISTRY, needs=()):
        package = {"name": name, "version": "1.0.0", "license": license, "source": source, "dependencies": list(needs)}
        return list(dependencies.check(self.RULES, [package]))

    def test_license_is_accepted_only_if_it_can_be_met_with_allowed_ones(self):
        for text in ("MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(GPL-3.0 OR MIT) AND Apache-2.0", "MIT AND Apache-2.0"):
            self.assertEqual(self.findings(license=text), [], text)
        for text in (None, "", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR MIT) AND GPL-2.0", "Apache-2.0 WITH LLVM-exception", "MIT MIT"):
            self.assertEqual(len(self.findings(license=text)), 1, text)

    def test_exception_applies_to_its_crate_only(self):
        self.assertEqual(self.findings(name="paths", license="MPL-2.0"), [])
        self.assertEqual(len(self.findings(license="MPL-2.0")), 1)

    def test_banned_crate_and_unknown_source_and_wildcard_version_are_reported(self):
        self.assertEqual(len(self.findings(name="ring")), 1)
        self.assertEqual(len(self.findings(source="git+https://example.com/a")), 1)
        wildcard, path = {"name": "b", "req": "*"}, {"name": "c", "req": "*", "path": "/c"}
        self.assertEqual(len(self.findings(source=None, needs=[wildcard, path])), 1)

    def test_version_in_a_member_is_reported(self):
        own = {"b": "1.0", "c": {"version": "1.0", "optional": True}, "d": {"git": "https://example.com/d"}}
        shared = {"e": {"workspace": True, "optional": True}, "f": {"path": "../f"}}
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            self.assertEqual(len(list(dependencies.own_versions({"a": {kind: own | shared}}))), 3, kind)


class Language(unittest.TestCase):
    def test_text_that_violates_a_language_rule_is_reported(self):
        cases = {
            "// The peer is told why.": ["word"],
            'fn f() { g("nobody answered") }': ["word"],
            "fn tell_peer() {}": ["word"],
            "struct Errand;": ["word"],
            "struct GuestList;": ["word"],
            "fn seat_of_peer() {}": ["word"],
            "// An agent at its other end.": ["word"],
            "// A guest waits in the hall.": ["word", "word"],
            "// The timeout is the patience of the client.": ["word"],
            'let a = OptionDefinition { doc: "Where the name comes from." };': ["opening"],
            "/// What the peer sent.": ["opening"],
            "//! Whether it is open.": ["opening"],
            "/// Good.\n\n/// How it ended.": ["opening"],
            'fn f() { g("it is no directory") }': ["is-no"],
            "// " + "x" * 98: ["width"],
            "#[test]\nfn what_is_wrong_fails() {}": ["test-name"],
            "#[test]\nfn a1_what_is_wrong_fails() {}": ["test-name"],
            "#[tokio::test]\nasync fn " + "x" * 73 + "() {}": ["test-name"],
        }
        for source, expected in cases.items():
            with self.subTest(source):
                self.assertEqual(rules_of(language.check_rust, source), expected)

    def test_text_that_follows_the_language_rules_is_accepted(self):
        for source in (
            "/// Returns the index.\n/// What follows is the second line.",
            "// What a plain comment begins with is free.",
            "/// However long it takes.",
            "// It is no longer there; there is no agent.",
            "fn intelligent_name() {}",
            "// The user `guest` may read.",
            'let guest = TestManager::guest("guest");',
            "// The peer shall end the installation.",
            'let a = OptionDefinition { doc: "Source of the name." };',
            "// https://example.net/" + "x" * 100,
            "//= rfc3414#3.2-7a",
            "#[test]\nfn bind_fails_when_address_in_use() {}",
        ):
            with self.subTest(source):
                self.assertEqual(rules_of(language.check_rust, source), [])

    def test_mistakes_in_documents_and_scripts_are_reported(self):
        self.assertEqual(rules_of(language.check_prose, "Good.\nWhoever asks.\n"), ["word"])
        self.assertEqual(rules_of(language.check_prose, "the oldest of the guests\n"), ["word"])
        self.assertEqual(rules_of(language.check_prose, "  guest   usm   noAuthNoPriv\n"), [])
        self.assertEqual(rules_of(language.check_script, "# " + "x" * 99), ["width"])
        self.assertEqual(rules_of(language.check_script, 'def f():\n    """Where it is."""\n'), ["opening"])
        self.assertEqual(rules_of(language.check_script, 'def f():\n    """The place."""\n'), [])
        self.assertEqual(rules_of(language.check_requirements, "# id\trfc1#2\nrfc1#2\tWhere it is.\n"), ["opening"])

    def test_scripts_without_a_file_name_extension_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "measure")
            script.write_text("#!/bin/sh\n# Nobody answers.\n")
            self.assertEqual([finding.rule for finding in language.check(str(script))], ["word"])


RULES = {
    "tier": [{"name": "binaries", "crates": ["cli"]}, {"name": "data", "crates": ["mib", "lcd"], "pure": True}],
    "tools": {"crates": ["manual"]},
    "edges": {},
    "pure": {"dependencies": ["tokio"], "code": ["Instant::now", "std::fs", "std::io::stdout", "UdpSocket", "TcpStream", "RandomState", "println!", "std::thread"],
             "except": ["std::thread::panicking"]},
    "only": {"russh": ["channel-ssh"]},
    "unsafe": {"crates": ["sys"]},
}


class Tiers(unittest.TestCase):
    def test_dependency_on_a_higher_or_the_same_tier_is_reported(self):
        self.assertEqual(list(tiers.edges(RULES, {"cli": {"portreeve-mib"}, "mib": set(), "lcd": set()})), [])
        for packages, word in (
            ({"mib": {"portreeve-cli"}, "cli": set()}, "upwards"),
            ({"mib": {"portreeve-lcd"}, "lcd": set()}, "within its tier"),
            ({"mib": {"portreeve-manual"}}, "upwards"),
        ):
            with self.subTest(word):
                self.assertIn(word, " ".join(tiers.edges(RULES, packages)))

    def test_listed_exception_for_a_missing_dependency_is_reported(self):
        rules = RULES | {"edges": {"mib -> lcd": "because"}}
        self.assertEqual(list(tiers.edges(rules, {"mib": {"portreeve-lcd"}, "lcd": set()})), [])
        self.assertIn("does not exist", " ".join(tiers.edges(rules, {"mib": set(), "lcd": set()})))

    def test_crate_without_tier_and_tier_with_unknown_crate_are_reported(self):
        packages = {"cli": set(), "mib": set(), "lcd": set(), "manual": set()}
        self.assertEqual(list(tiers.crate_list(RULES, packages)), [])
        self.assertIn("has no tier", " ".join(tiers.crate_list(RULES, packages | {"new": set()})))
        self.assertIn("there is no crate lcd", " ".join(tiers.crate_list(RULES, {"cli": set(), "mib": set(), "manual": set()})))

    def test_difference_of_crate_lists_in_architecture_and_tiers_is_reported(self):
        table = "| crate | what |\n|---|---|\n| **binaries** | |\n| `cli` | x |\n| **data** | |\n| `mib`, `lcd` | x |\n"
        self.assertEqual(list(tiers.architecture(RULES, table)), [])
        self.assertIn("does not list lcd", " ".join(tiers.architecture(RULES, table.replace(", `lcd`", ""))))
        self.assertIn("tiers.toml does not", " ".join(tiers.architecture(RULES, table.replace("`cli`", "`cli`, `gone`"))))

    def test_runtime_dependency_of_a_pure_crate_is_reported(self):
        self.assertEqual(list(tiers.pure_dependencies(RULES, {"mib": {"portreeve-mib", "zeroize"}})), [])
        self.assertIn("tokio", " ".join(tiers.pure_dependencies(RULES, {"mib": {"tokio"}})))

    def test_clock_files_and_unsafe_in_a_pure_crate_are_reported(self):
        path = pathlib.Path("x.rs")
        for text, count in (("let a = Instant::now();", 1), ("use std::fs::File;", 1), ("use std::{fmt, fs};", 1), ("now: Instant", 0),
                            ("unsafe { x() }", 1), ("forbid(unsafe_code)", 0), ("std::time::Instant::now()", 1),
                            ("std::net::UdpSocket::bind(a)", 1), ("use std::net::TcpStream;", 1), ("use std::{io::stdout};", 1),
                            ("use std::{fmt, io::{self, Read}};\nlet a = io::stdout();", 1), ("use std::io::*;", 1),
                            ("use std::io::{\n    Write,\n    stdout as out,\n};", 1), ("use ::std::fs as files;", 1),
                            ("let a = std::collections::hash_map::RandomState::new();", 1), ("std::println!()", 1),
                            ("use std::time::Instant as Clock;\nlet a = Clock::now();", 1), ("use std::time::Instant;", 0),
                            ("use std::io;\nlet a: io::Error;", 0), ("use crate::fs;\nfs::read();", 0), ("MyInstant::now()", 0),
                            ("use crate::TcpStreams;", 0), ("my_println!()", 0),
                            ("std::thread::panicking()", 0), ("std::thread::panicking_now()", 1), ("use std::thread;", 1)):
            with self.subTest(text):
                self.assertEqual(len(list(tiers.code(RULES, [("mib", path, text)]))), count)
        self.assertEqual(list(tiers.code(RULES, [("cli", path, "Instant::now()")])), [])

    def test_library_used_outside_its_permitted_crate_is_reported(self):
        self.assertEqual(list(tiers.quarantine(RULES, {"channel-ssh": {"russh"}})), [])
        self.assertIn("russh", " ".join(tiers.quarantine(RULES, {"cli": {"russh"}})))


class References(unittest.TestCase):
    def test_missing_path_heading_type_or_test_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/a.md").write_text("# One heading: `x`\n")
            (root / "docs/a.rs").write_text("pub struct Here;\n#[test]\nfn one() {}\n    #[test]\n    #[ignore = \"x\"]\n    fn two() {}\nfn no_test() {}\n")
            for text, count in (("see `docs/a.md`", 0), ("see `docs/b.md`", 1), ("[a](docs/a.md#one-heading-x)", 0), ("[a](docs/a.md#two)", 1),
                                ("[a](b.md)", 1), ("```sh\n[a](b.md)\n```", 0), ("[a](https://example.net/b)", 0),
                                ("- `docs/a.rs`: `one`, `two`", 0), ("- `docs/a.rs`: `one`, `three`, `four`", 2),
                                ("| x | `docs/a.rs`: `on` |", 1), ("`docs/a.rs`: `no_test`", 1), ("`b.rs`: `one`", 1)):
                with self.subTest(text):
                    self.assertEqual(len(list(references.check(root, "README.md", text))), count)
            for text, count in (("| `Here` | `docs/a.rs` |", 0), ("| `Gone` | `docs/a.rs` |", 1)):
                with self.subTest(text):
                    self.assertEqual(len(list(references.check_glossary(root, "docs/glossary.md", text))), count)


class Mutants(unittest.TestCase):
    def setUp(self):
        path = str(pathlib.Path(__file__).resolve().parents[1] / "mutants")
        loader = importlib.machinery.SourceFileLoader("mutants", path)
        self.script = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
        loader.exec_module(self.script)

    def test_survivors_are_compared_with_the_list_without_their_positions(self):
        listed = self.script.read_list("# Title\n\n## usm\n\n- `a.rs: replace < with <= in f`: equal values\n  are refused before.\n")
        first, second = (self.script.without_position(f"a.rs:{line}:9: replace < with <= in f") for line in (4, 7))
        self.assertEqual(self.compare([first], listed["usm"]), (True, 1))
        self.assertEqual(self.compare([first, second], listed["usm"]), (False, 2))
        self.assertEqual(self.compare([], listed["usm"]), (False, 2))
        self.assertEqual(self.compare([], listed["usm"], is_complete=False), (True, 1))

    def test_entry_without_reason_is_an_error(self):
        with self.assertRaises(SystemExit):
            self.script.read_list("## usm\n\n- `a.rs: replace < with <= in f`:\n")

    def test_slow_tests_are_run_only_if_quick_ones_succeed(self):
        with tempfile.TemporaryDirectory() as directory:
            log = pathlib.Path(directory) / "log"
            for end, runs in (("exit 0", 2), ("exit 1", 1), ("echo test a ... FAILED; exec sleep 100", 1)):
                program = ["sh", "-c", f'echo "$@" >> {log}; {end}', "program"]
                with contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(self.script.run_tests(program) == 0, runs == 2)
                lines = log.read_text().splitlines()
                self.assertEqual([line.startswith("--skip=") for line in lines], [True, False][:runs])
                log.unlink()

    def compare(self, survivors, listed, is_complete=True):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            same = self.script.compare("usm", collections.Counter(survivors), listed, is_complete)
        return same, len(output.getvalue().splitlines())


if __name__ == "__main__":
    unittest.main()
