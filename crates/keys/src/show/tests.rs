use std::{
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use portreeve_channel::AlternativeName;
use portreeve_pki::{
    Holder, HolderRole, SshAuthority, Validity, X509Authority, encode_ssh_key, encrypt_key, new_ssh_key,
};
use portreeve_secret::Secret;

use super::{ItemKind, dates, item::escape_for_terminal, items, json, text};
use crate::revocations::Revocations;

#[test]
fn kinds_of_keys_and_certificates_are_recognized_by_content() {
    let files = Files::new();
    let authority = X509Authority::new("Test CA", days(400)).unwrap();
    let names = vec![AlternativeName::Dns("gw.example".into())];
    let host =
        authority.issue(&Holder::new(HolderRole::Host, "gw.example").with_names(names), days(90)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(90)).unwrap();
    let sealed = encrypt_key(&user.key, &Secret::from("phrase")).unwrap();
    let list = authority.revocation_list(&[], 1, SystemTime::now()).unwrap();
    let key = new_ssh_key("ops at work").unwrap();
    let ssh = SshAuthority::new(new_ssh_key("ca").unwrap()).unwrap();
    let certificate = ssh.certify(key.public_key(), &Holder::new(HolderRole::User, "ops"), days(9)).unwrap();
    let public = key.public_key().to_openssh().unwrap();
    for (text, kind, shown) in [
        (authority.pem(), ItemKind::X509Authority, "Test CA"),
        (host.certificate, ItemKind::X509Host, "gw.example"),
        (user.certificate, ItemKind::X509User, "ops"),
        (list, ItemKind::X509RevocationList, "Test CA"),
        (as_text(&user.key), ItemKind::X509PrivateKey, ""),
        (as_text(&sealed), ItemKind::X509PrivateKey, ""),
        (public.clone(), ItemKind::SshKey, "ops at work"),
        (format!("from=\"192.0.2.1\",restrict {public}"), ItemKind::SshKey, "ops at work"),
        (format!("[gw.example]:5161 {public}"), ItemKind::SshKey, "ops at work"),
        (certificate.to_openssh().unwrap(), ItemKind::SshUserCertificate, "ops"),
        (as_text(&encode_ssh_key(&key, None).unwrap()), ItemKind::SshPrivateKey, "ops at work"),
    ] {
        let [item] = <[_; 1]>::try_from(items(&files.write(&text)).unwrap()).unwrap();
        assert_eq!((item.kind, item.display_names().as_str()), (kind, shown));
        assert_eq!(item.has_pass_phrase, text.contains("ENCRYPTED"));
    }
}

#[test]
fn all_keys_and_certificates_in_a_file_are_returned() {
    let files = Files::new();
    let authority = X509Authority::new("Test CA", days(400)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(90)).unwrap();
    let text = format!("{}{}{}", user.certificate, authority.pem(), as_text(&user.key));
    let kinds: Vec<_> = items(&files.write(&text)).unwrap().iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [ItemKind::X509User, ItemKind::X509Authority, ItemKind::X509PrivateKey]);
}

#[test]
fn file_without_keys_or_certificates_is_rejected_with_hint() {
    let files = Files::new();
    let head = "-----BEGIN CERTIFICATE-----\n";
    for junk in [
        "",
        "hello",
        head,
        "-----BEGIN OPENSSH PRIVATE KEY-----\n",
        "ssh-ed25519 AAAA",
        "\0\0",
        &"a ".repeat(9999),
    ] {
        let error = items(&files.write(junk)).unwrap_err().to_string();
        assert!(error.contains("no certificate or key found") && error.contains("hint: "), "{error}");
    }
}

#[test]
fn terminal_control_characters_are_escaped() {
    let files = Files::new();
    let authority = X509Authority::new("evil\x1b[2J\u{202e}CA", days(400)).unwrap();
    let found = items(&files.write(&authority.pem())).unwrap();
    let now = SystemTime::now();
    let (nothing, below) = (Revocations::default(), std::path::Path::new("/"));
    for shown in [
        text::details(&found[0], &nothing, now),
        text::table(&found, below, &nothing, now, None),
        json::array(&found, &nothing, now),
    ] {
        assert!(!shown.contains('\x1b'), "{shown:?}");
        assert!(shown.contains("CA"));
    }
    assert_eq!(escape_for_terminal("a\u{1b}b"), "a\\u{1b}b");
}

#[test]
fn expiry_warning_appears_in_last_30_days_and_after_expiry() {
    let files = Files::new();
    let authority = X509Authority::new("Test CA", days(400)).unwrap();
    let user = authority.issue(&Holder::new(HolderRole::User, "ops"), days(40)).unwrap();
    let found = items(&files.write(&user.certificate)).unwrap();
    let at = |day: u64| {
        text::warning(
            &found[0],
            &Revocations::default(),
            SystemTime::now() + Duration::from_secs(day * 86_400),
        )
    };
    assert_eq!(at(5), "");
    assert!(at(15).contains("expires in 24 days"), "{}", at(15));
    assert!(at(45).contains("expired 5 days ago"), "{}", at(45));
}

#[test]
fn dates_are_formatted_in_three_styles() {
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    assert_eq!(dates::day(at(1_795_305_600)), "2026-11-22");
    assert_eq!(dates::timestamp(at(1_795_305_600 + 3_661)), "2026-11-22T01:01:01Z");
    for (until, relative, left) in [
        (0, "10 days ago", -11),
        (9 * 86_400, "1 day ago", -2),
        (10 * 86_400 - 1, "within the last day", -1),
        (10 * 86_400, "within a day", 0),
        (11 * 86_400, "in 1 day", 1),
        (20 * 86_400, "in 10 days", 10),
    ] {
        assert_eq!(dates::relative(at(until), at(10 * 86_400)), relative);
        assert_eq!(dates::days_left(at(until), at(10 * 86_400)), left);
    }
}

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("file");
        fs::write(&path, text).unwrap();
        path
    }
}

fn as_text(secret: &Secret) -> String {
    String::from_utf8(secret.expose().to_vec()).unwrap()
}

fn days(days: u64) -> Validity {
    Validity::from_now(SystemTime::now(), Duration::from_secs(days * 86_400))
}
