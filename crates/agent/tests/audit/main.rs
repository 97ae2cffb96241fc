//! What `portreeved audit` says of configurations: one folder each in `tests/audit/cases`, with what is expected beside it.
//!
//! `UPDATE_EXPECTED=1 cargo test -p portreeve-agent --test audit` writes down what is said now; the difference is for review.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod certificates;

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn every_case_says_what_is_expected() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/cases");
    let update = env::var_os("UPDATE_EXPECTED").is_some();
    let mut folders: Vec<_> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 5);
    let mut wrong = Vec::new();
    for folder in folders {
        let home = Home::new(&folder.file_name().unwrap().to_string_lossy());
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            home.write(&entry.file_name().to_string_lossy(), &fs::read_to_string(entry.path()).unwrap());
        }
        let said = home.audit(&[]);
        let expected = folder.join("expected.txt");
        if update {
            fs::write(expected, said).unwrap();
        } else if fs::read_to_string(expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "unexpected:\n\n{}", wrong.join("\n"));
}

#[test]
fn no_secret_is_told_in_any_form() {
    let home = Home::new("secrets");
    home.write(
        "portreeved.toml",
        "[weak]\nallow = [\"communities\"]\n[[community]]\nname = \"hush-hush\"\naccess = \"read\"\n\
         [[user]]\nname = \"ops\"\nauth-pass = \"signs for ops\"\npriv-pass = \"hides for ops\"\naccess = \"read\"\n",
    );
    for arguments in [&[][..], &["--json"]] {
        let said = home.audit(arguments);
        assert!(said.contains("ops") && said.contains("community-1"), "{said}");
        for secret in ["hush", "signs for", "hides for"] {
            assert!(!said.contains(secret), "{said}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_used_is_no_clean_bill() {
    let home = Home::new("unusable");
    home.write("portreeved.toml", "[agent]\nworker = 2\n");
    let said = home.audit(&[]);
    assert!(said.contains("[agent] has no key `worker`") && said.ends_with("exit 1\n"), "{said}");
}

#[test]
fn what_was_accepted_is_shown_and_is_no_reason_to_fail() {
    let home = Home::new("accepted");
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
    assert!(both.ends_with("nothing weak was found, accepted: 2\nexit 0\n"), "{both}");
    let data = home.audit(&["--json", "--allow=community-read:community-2", "--allow", "expired:CN=old"]);
    for words in [
        "\"id\":\"community-read:community-1\",\"weight\":\"weak\",\"accepted\":false",
        "\"id\":\"community-read:community-2\",\"weight\":\"weak\",\"accepted\":true",
        "\"accepted-in-vain\":[\"expired:CN=old\"]",
        "\"weak\":true",
    ] {
        assert!(data.contains(words), "{words}: {data}");
    }
    let said = home.audit(&["--allow", "community-read", "--allow", "write-all:ops"]);
    assert!(said.contains("\n--allow write-all:ops accepts nothing that was found\n"), "{said}");
}

#[test]
fn only_a_listener_that_was_told_to_do_without_ml_kem_is_noted() {
    let home = Home::new("post-quantum");
    let said = |key_exchanges: &str| {
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
        assert!(!said(all_is_well).contains("no-post-quantum"), "{all_is_well}");
    }
    let noted = said("key-exchanges = [\"curve25519-sha256\"]");
    assert!(noted.contains("  note      no-post-quantum:ssh:127.0.0.1:5161  portreeved.toml:1\n"), "{noted}");
    assert!(noted.contains("            hint: add \"mlkem768x25519-sha256\" to key-exchanges\n"), "{noted}");
}

#[test]
fn rights_are_told_in_two_lines_where_one_is_too_wide() {
    let home = Home::new("narrow");
    home.write(
        "portreeved.toml",
        "[[listen]]\naddress = \"127.0.0.1\"\n[[listen]]\ntransport = \"tcp\"\naddress = \"127.0.0.1\"\n\
         [[user]]\nname = \"operator-of-the-night\"\nauth-pass = \"signs for ops\"\npriv-pass = \"hides for ops\"\n\
         access = \"write\"\n",
    );
    let wide = home.audit(&[]);
    let row = "  operator-of-the-night  usm    udp tcp  authPriv  default  all    all     all\n";
    assert!(wide.contains(row), "{wide}");
    let narrow = home.audit_within("70", &[]);
    let rows = "  operator-of-the-night  usm    udp tcp  authPriv  default\n      all    all     all\n      by  USM ";
    assert!(narrow.contains(rows), "{narrow}");
    assert_eq!(home.audit_within("90", &[]), wide);
}

/// A directory of an agent's, removed in the end.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("portreeve-audit-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file for its owner alone.
    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// What is said of `portreeved.toml`, and the exit code.
    fn audit(&self, arguments: &[&str]) -> String {
        self.audit_within("", arguments)
    }

    /// The same, where lines may be so long.
    fn audit_within(&self, columns: &str, arguments: &[&str]) -> String {
        self.said_by(columns, &[&["audit", "--config", "portreeved.toml"], arguments].concat())
    }

    /// What `check` says of it, and the exit code.
    fn checked(&self) -> String {
        self.said_by("", &["check", "portreeved.toml"])
    }

    fn said_by(&self, columns: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portreeved"));
        command.current_dir(&self.0).args(arguments);
        let output = command.env("COLUMNS", columns).output().unwrap();
        let said = [output.stdout, output.stderr].map(|octets| String::from_utf8(octets).unwrap()).concat();
        said.replace(&self.0.display().to_string(), "HOME")
            + &format!("exit {}\n", output.status.code().unwrap())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
