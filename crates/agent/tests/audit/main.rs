//! Compares the output of `portreeved audit` with expected output: one directory per case in
//! `tests/audit/cases`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p portreeve-agent --test audit` writes the current output; review
//! the difference.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod certificates;

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use portreeve_yang::{Extension, Module, Node, NodeId, NodeKind, SchemaBuilder, Type, TypeKind};

#[test]
fn audit_output_of_each_case_matches_expected_file() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/cases");
    let update = env::var_os("UPDATE_EXPECTED").is_some();
    let mut folders: Vec<_> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 5);
    let mut wrong = Vec::new();
    for folder in folders {
        let home = TestHome::new(&folder.file_name().unwrap().to_string_lossy());
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            home.write(&entry.file_name().to_string_lossy(), &fs::read_to_string(entry.path()).unwrap());
        }
        let output = home.audit(&[]);
        let expected = folder.join("expected.txt");
        if update {
            fs::write(expected, output).unwrap();
        } else if fs::read_to_string(expected).unwrap_or_default() != output {
            wrong.push(format!("{}:\n{output}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "unexpected:\n\n{}", wrong.join("\n"));
}

#[test]
fn audit_does_not_print_secrets() {
    let home = TestHome::new("secrets");
    home.write(
        "portreeved.toml",
        "[weak]\nallow = [\"communities\"]\n[[community]]\nname = \"hush-hush\"\naccess = \"read\"\n\
         [[user]]\nname = \"ops\"\nauth-pass = \"signs for ops\"\npriv-pass = \"hides for ops\"\naccess = \"read\"\n",
    );
    for arguments in [&[][..], &["--json"]] {
        let output = home.audit(arguments);
        assert!(output.contains("ops") && output.contains("community-1"), "{output}");
        for secret in ["hush", "signs for", "hides for"] {
            assert!(!output.contains(secret), "{output}");
        }
    }
}

#[test]
fn audit_fails_when_configuration_file_is_invalid() {
    let home = TestHome::new("unusable");
    home.write("portreeved.toml", "[agent]\nworker = 2\n");
    let output = home.audit(&[]);
    assert!(output.contains("[agent] has no key `worker`") && output.ends_with("exit 1\n"), "{output}");
}

#[test]
fn accepted_findings_are_printed_and_do_not_make_audit_fail() {
    let home = TestHome::new("accepted");
    home.write(
        "portreeved.toml",
        "[weak]\nallow = [\"communities\"]\n[[listen]]\naddress = \"127.0.0.1\"\n\
         [[community]]\nname = \"one\"\naccess = \"read\"\n[[community]]\nname = \"two\"\naccess = \"read\"\n",
    );
    let one = home.audit(&["--allow", "community-read:community-1"]);
    assert!(one.contains("  accepted  community-read:community-1  portreeved.toml:5\n"), "{one}");
    assert!(one.contains("  weak      community-read:community-2  portreeved.toml:8\n"), "{one}");
    assert!(one.ends_with("weak: 1, accepted: 1\nexit 1\n"), "{one}");
    let both = home.audit(&["--allow", "community-read"]);
    assert!(both.ends_with("no weaknesses found, accepted: 2\nexit 0\n"), "{both}");
    let data = home.audit(&["--json", "--allow=community-read:community-2", "--allow", "expired:CN=old"]);
    for words in [
        "\"id\":\"community-read:community-1\",\"severity\":\"weak\",\"accepted\":false",
        "\"id\":\"community-read:community-2\",\"severity\":\"weak\",\"accepted\":true",
        "\"unused-allow\":[\"expired:CN=old\"]",
        "\"weak\":true",
    ] {
        assert!(data.contains(words), "{words}: {data}");
    }
    let output = home.audit(&["--allow", "community-read", "--allow", "write-all:ops"]);
    assert!(output.contains("\n--allow write-all:ops matches no finding\n"), "{output}");
}

#[test]
fn audit_prints_note_about_listener_without_ml_kem_key_exchange() {
    let home = TestHome::new("post-quantum");
    let output = |key_exchanges: &str| {
        home.write(
            "portreeved.toml",
            &format!(
                "[[listen]]\ntransport = \"ssh\"\naddress = \"127.0.0.1:5161\"\n{key_exchanges}\n[ssh]\n\
                 host-keys = [\"host\"]\nauthorized-keys = [\"keys.%u\"]\n\
                 [[session-user]]\nname = \"ops\"\naccess = \"read\"\n"
            ),
        );
        home.audit(&[])
    };
    for all_is_well in ["", "key-exchanges = [\"curve25519-sha256\", \"mlkem768x25519-sha256\"]"] {
        assert!(!output(all_is_well).contains("no-post-quantum"), "{all_is_well}");
    }
    let noted = output("key-exchanges = [\"curve25519-sha256\"]");
    assert!(noted.contains("  note      no-post-quantum:ssh:127.0.0.1:5161  portreeved.toml:1\n"), "{noted}");
    assert!(
        noted
            .contains("            hint: add \"mlkem768x25519-sha256\" to key-exchanges in the [[listen]]\n"),
        "{noted}"
    );
}

#[test]
fn audit_wraps_wide_table_rows_at_terminal_width() {
    let home = TestHome::new("narrow");
    home.write(
        "portreeved.toml",
        "[[listen]]\naddress = \"127.0.0.1\"\n[[listen]]\ntransport = \"tcp\"\naddress = \"127.0.0.1\"\n\
         [[user]]\nname = \"operator-of-the-night\"\nauth-pass = \"signs for ops\"\npriv-pass = \"hides for ops\"\n\
         access = \"write\"\n",
    );
    let wide = home.audit(&[]);
    let row = "  operator-of-the-night  usm    udp tcp    authPriv   default  all   all    all\n";
    assert!(wide.contains(row), "{wide}");
    let narrow = home.audit_with_width("70", &[]);
    let rows = "  operator-of-the-night  usm    udp tcp    authPriv   default\n      all   all    all\n      via USM ";
    assert!(narrow.contains(rows), "{narrow}");
    assert_eq!(home.audit_with_width("90", &[]), wide);
}

/// NETCONF configures the leaf `name`. The leaf `count` is state.
#[test]
fn audit_finds_community_that_may_write_data_of_a_yang_module() {
    let home = TestHome::new("yang-objects");
    home.write_program(&[("name", "1.3.6.1.4.1.32473.7.1", true), ("count", "1.3.6.1.4.1.32473.7.2", false)]);
    let output = |view: &str| {
        home.write(
            "portreeved.toml",
            &format!(
                "[weak]\nallow = [\"communities\"]\n[netconf]\n[[listen]]\naddress = \"127.0.0.1\"\n\
                 [[listen]]\ntransport = \"ssh\"\naddress = \"127.0.0.1:5161\"\n\
                 [ssh]\nhost-keys = [\"host\"]\nauthorized-keys = [\"keys.%u\"]\n\
                 [[session-user]]\nname = \"ops\"\naccess = \"read\"\n\
                 [[view]]\nname = \"part\"\ninclude = [\"{view}\"]\n\
                 [[community]]\nname = \"one\"\naccess = \"write\"\nview = \"part\"\n"
            ),
        );
        home.run_program("", &["audit", "--config", "portreeved.toml"])
    };
    let finding = "netconf-data-by-community:community-1";
    for (view, is_found) in [
        ("1.3.6.1.4.1.32473.7.1", true),
        ("1.3.6.1.4.1", true),
        ("1.3.6.1.4.1.32473.7.1.0", true),
        ("1.3.6.1.4.1.32473.7.2", false),
        ("1.3.6.1.2.1.1.4", true),
        ("1.3.6.1.2.1.2", false),
    ] {
        let output = output(view);
        assert!(output.contains("community-write:community-1"), "{output}");
        assert_eq!(output.contains(finding), is_found, "{view}: {output}");
    }
}

/// The directory of an agent, removed when dropped.
struct TestHome(PathBuf);

impl TestHome {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("portreeve-audit-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file that only its owner can read.
    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// Runs `audit` on `portreeved.toml`; returns its output and the exit status.
    fn audit(&self, arguments: &[&str]) -> String {
        self.audit_with_width("", arguments)
    }

    /// Like [`audit`](Self::audit), with a given terminal width.
    fn audit_with_width(&self, columns: &str, arguments: &[&str]) -> String {
        self.run(columns, &[&["audit", "--config", "portreeved.toml"], arguments].concat())
    }

    /// Copies the program beside a schema file whose module has these leafs: name, object
    /// identifier, and true for configuration.
    fn write_program(&self, leafs: &[(&str, &str, bool)]) {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("example", "urn:example", "ex"));
        let text = Type::new(TypeKind::String { length: None, patterns: Vec::new() });
        for (name, oid, is_config) in leafs {
            let kind = NodeKind::leaf(builder.add_type(text.clone()));
            let mut node = Node::new(module, name, kind);
            node.config = *is_config;
            node.extensions.push(Extension {
                module: "ietf-yang-smiv2".into(),
                name: "oid".into(),
                argument: (*oid).into(),
            });
            builder.add_node(NodeId::ROOT, node);
        }
        // Another process copies it, because a child of another test could inherit the open file,
        // which cannot be executed then.
        let copied =
            Command::new("cp").arg(env!("CARGO_BIN_EXE_portreeved")).arg(self.0.join("portreeved")).status();
        assert!(copied.unwrap().success());
        fs::write(self.0.join("shipped.schema"), builder.build().unwrap().encode()).unwrap();
    }

    /// Runs the copy of the program.
    fn run_program(&self, columns: &str, arguments: &[&str]) -> String {
        self.run_command(&mut Command::new(self.0.join("portreeved")), columns, arguments)
    }

    /// Runs `check`; returns its output and the exit status.
    fn check(&self) -> String {
        self.run("", &["check", "portreeved.toml"])
    }

    fn run(&self, columns: &str, arguments: &[&str]) -> String {
        self.run_command(&mut Command::new(env!("CARGO_BIN_EXE_portreeved")), columns, arguments)
    }

    fn run_command(&self, command: &mut Command, columns: &str, arguments: &[&str]) -> String {
        command.current_dir(&self.0).args(arguments);
        let output = command.env("COLUMNS", columns).output().unwrap();
        let text = [output.stdout, output.stderr].map(|octets| String::from_utf8(octets).unwrap()).concat();
        text.replace(&self.0.display().to_string(), "HOME")
            + &format!("exit {}\n", output.status.code().unwrap())
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
