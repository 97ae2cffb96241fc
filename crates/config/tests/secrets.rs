//! Secrets in readable files cause warnings, and errors never contain secrets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use portreeve_config::{KeySource, NoFiles, Severity, load, parse};
use portreeve_crypto::{AuthProtocol, PrivProtocol, password_to_key};
use portreeve_secret::Secret;

/// A temporary directory, removed when dropped.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-config-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const USER: &str = "[[user]]\nname = \"ops\"\naccess = \"read\"\nauth-pass = \"maplesyrup\"\n";

#[test]
fn load_warns_about_file_with_secrets_that_others_can_read() {
    let dir = TempDir::new("mode");
    for (mode, warnings) in [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1)] {
        let path = dir.file("portreeved.toml", USER, mode);
        let loaded = load(&path).map_err(|rejected| rejected.to_string()).unwrap();
        assert_eq!(loaded.warnings.len(), warnings, "mode {mode:o}");
        assert!(
            loaded.warnings.iter().all(|warning| warning.severity == Severity::Warning && warning.line == 0)
        );
    }
    let path = dir.file("portreeved.toml", "[system]\n", 0o644);
    assert_eq!(load(&path).map_err(|rejected| rejected.to_string()).unwrap().warnings, []);
}

#[test]
fn review_l14_load_warns_about_file_that_others_can_change() {
    let dir = TempDir::new("writable");
    for (mode, warnings) in [(0o644, 0), (0o666, 1), (0o664, 1), (0o602, 1)] {
        let path = dir.file("portreeved.toml", "[system]\n", mode);
        let loaded = load(&path).map_err(|rejected| rejected.to_string()).unwrap();
        let texts: Vec<_> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), warnings, "mode {mode:o}: {texts:?}");
        assert!(texts.iter().all(|text| text.contains("other users can change")), "{texts:?}");
    }
}

#[test]
fn review_l14_sha1_fingerprint_is_rejected_unless_setting_weak_allows_it() {
    let sha1 = "sha1:5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A";
    for place in [
        format!("pinned = [\"{sha1}\"]\n"),
        format!("authorities = [\"ca.pem\"]\n[[tls.name]]\nfingerprint = \"{sha1}\"\nname = \"ops\"\n"),
    ] {
        let text = format!(
            "[[listen]]\ntransport = \"tls\"\n[tls]\ncertificate = \"a.pem\"\nkey = \"a.key\"\n{place}"
        );
        let message = parse(&text, Path::new("x"), &NoFiles).err().map(|rejected| rejected.to_string());
        let message = message.unwrap_or_default();
        assert!(message.contains("SHA-1 fingerprint") && message.contains("allow = [\"SHA\"]"), "{message}");
        let allowed = format!("[weak]\nallow = [\"SHA\"]\n{text}");
        assert!(parse(&allowed, Path::new("x"), &NoFiles).is_ok(), "{place}");
    }
}

#[test]
fn pass_phrase_is_first_line_of_file_with_warning_if_others_can_read_it() {
    let dir = TempDir::new("file");
    let text = "[[user]]\nname = \"ops\"\naccess = \"read\"\nauth-pass-file = \"ops.pass\"\n";
    let path = dir.file("portreeved.toml", text, 0o600);
    for content in ["maplesyrup", "maplesyrup\n", "maplesyrup\r\n", "maplesyrup\nthe rest is not read\n"] {
        dir.file("ops.pass", content, 0o600);
        let config = load(&path).map_err(|rejected| rejected.to_string()).unwrap().config;
        let Some((AuthProtocol::HmacSha256_192, KeySource::PassPhrase(phrase))) = &config.users[0].auth
        else {
            panic!("{content:?}")
        };
        assert_eq!(phrase.expose(), b"maplesyrup", "{content:?}");
    }
    dir.file("ops.pass", "maplesyrup", 0o644);
    let warnings = load(&path).map_err(|rejected| rejected.to_string()).unwrap().warnings;
    assert!(warnings[0].to_string().contains("ops.pass is readable by other users"), "{warnings:?}");
}

#[test]
fn configuration_errors_never_contain_secrets() {
    for text in [
        "[[user]]\nname = \"ops\"\nauth-pass = \"hunter2\"\n",
        "[[user]]\nname = \"ops\"\nauth-pass = \"hunter2hunter2\"\nauth-key = \"hunter2\"\n",
        "[[user]]\nname = \"ops\"\nauth-key = \"hunter2\"\n",
        "[[user]]\nname = \"ops\"\nauth-pass = [\"hunter2\"]\n",
        "[[user]]\nname = \"ops\"\nauth-pass = \"hunter2\n",
        "[[community]]\nname = \"hunter2\"\n",
        "[weak]\nallow = [\"communities\"]\n[[community]]\nname = \"hunter2\"\n[[community]]\nname = \"hunter2\"\n",
    ] {
        let message = parse(text, Path::new("x"), &NoFiles).err().unwrap().to_string();
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[test]
fn keys_from_pass_phrases_are_localized_to_engine_id() {
    let text = USER.to_owned() + "auth = \"SHA-512\"\npriv = \"AES-256-C\"\npriv-pass = \"maplesyrup\"\n";
    let config =
        parse(&text, Path::new("x"), &NoFiles).map_err(|rejected| rejected.to_string()).unwrap().config;
    let engine_id = "0x8000000005706f7274".parse().unwrap();
    let tables = config.tables(engine_id);
    let row = tables.users.iter().next().unwrap();
    let master = password_to_key(AuthProtocol::HmacSha512_384, &Secret::from("maplesyrup")).unwrap();
    let octets = engine_id.as_bytes();
    assert_eq!(row.auth.as_ref().unwrap().key.expose(), master.localize(octets).expose());
    let privacy = master.localize_for(PrivProtocol::Aes256Reeder, octets);
    assert_eq!(row.privacy.as_ref().unwrap().key.expose(), privacy.expose());
}

#[test]
fn load_error_contains_path_of_missing_file() {
    let message = load(Path::new("/nowhere/portreeved.toml")).err().unwrap().to_string();
    assert!(message.starts_with("/nowhere/portreeved.toml: error: cannot read file: "), "{message}");
}

#[test]
fn load_error_contains_line_number_of_invalid_utf8() {
    let dir = TempDir::new("octets");
    let path = dir.0.join("portreeved.toml");
    fs::write(&path, b"[system]\nname = \"\xff\"\n").unwrap();
    let message = load(&path).err().unwrap().to_string();
    assert!(message.contains("portreeved.toml:2: error: invalid UTF-8"), "{message}");
}
