use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown, symlink},
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

use rand::rng;
use russh::keys::{
    Algorithm, PrivateKey, PublicKey,
    ssh_key::certificate::{Builder, CertType},
};
use tempfile::TempDir;

use super::*;

const OPS: LoginAttempt<'_> =
    LoginAttempt { user: "ops", address: IpAddr::V4(std::net::Ipv4Addr::LOCALHOST) };

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

fn data(key: &PrivateKey) -> &KeyData {
    key.public_key().key_data()
}

/// Returns whether a test can use the rights of another user, or prints that it is skipped.
pub(super) fn can_use_rights_of_others() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        println!("skipped: only root can use the rights of another user");
    }
    is_root
}

fn with_files(folder: &Path) -> Authentication {
    let pattern = format!("{}/%u", folder.display());
    Authentication { key_files: KeyFiles::new([pattern]).unwrap(), ..Authentication::default() }
}

/// Writes a key file for the user, with options before the key.
fn list(folder: &TempDir, user: &str, options: &str, key: &PrivateKey) {
    write_key_file(folder, user, &format!("{options}{}\n", key.public_key().to_openssh().unwrap()));
}

fn write_key_file(folder: &TempDir, user: &str, line: &str) {
    let path = folder.path().join(user);
    fs::write(&path, line).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

/// Returns a valid certificate for ops, modified by `change`.
fn certificate(authority: &PrivateKey, change: impl FnOnce(&mut Builder)) -> Certificate {
    issued(authority, 0, u64::MAX - 1, change)
}

fn issued(authority: &PrivateKey, after: u64, before: u64, change: impl FnOnce(&mut Builder)) -> Certificate {
    let subject = key();
    let mut builder =
        Builder::new_with_random_nonce(&mut rng(), subject.public_key(), after, before).unwrap();
    change(&mut builder);
    builder.sign(authority).unwrap()
}

fn for_ops(builder: &mut Builder) {
    builder.cert_type(CertType::User).unwrap().valid_principal("ops").unwrap();
}

#[test]
fn listed_key_authorizes_only_the_user_of_its_key_file() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let authentication = with_files(folder.path());
    assert!(matches!(authentication.authorize_key(OPS, data(&key)), Ok(SshProof::PublicKey { .. })));
    for user in ["Ops", "ops ", " ops", "оps", "op", "ops\u{200b}"] {
        let other = LoginAttempt { user, ..OPS };
        assert_eq!(
            authentication.authorize_key(other, data(&key)),
            Err(LoginRefusalReason::KeyNotListed),
            "{user:?}"
        );
    }
    for user in ["", "ops\0", "../ops", "x/../ops", ".", &"o".repeat(65_536)] {
        let other = LoginAttempt { user, ..OPS };
        assert_eq!(authentication.authorize_key(other, data(&key)), Err(LoginRefusalReason::UserName));
    }
}

#[test]
fn authorized_keys_options_restrict_the_use_of_a_key() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let authentication = with_files(folder.path());
    for (options, expected) in [
        ("from=\"127.0.0.0/8\" ", None),
        ("from=\"192.0.2.1\" ", Some(LoginRefusalReason::KeySource)),
        ("expiry-time=\"20200101Z\" ", Some(LoginRefusalReason::KeyExpired)),
        ("expiry-time=\"29990101Z\" ", None),
        ("command=\"/bin/true\" ", Some(LoginRefusalReason::KeyNotListed)),
        ("cert-authority ", Some(LoginRefusalReason::KeyNotListed)),
        ("restrict ", None),
    ] {
        list(&folder, "ops", options, &key);
        assert_eq!(authentication.authorize_key(OPS, data(&key)).err(), expected, "{options}");
    }
}

#[test]
fn revoked_key_is_refused() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let revoked = RevokedKeys::parse(key.public_key().to_openssh().unwrap()).unwrap();
    let authentication = Authentication { revoked, ..with_files(folder.path()) };
    assert_eq!(authentication.authorize_key(OPS, data(&key)), Err(LoginRefusalReason::KeyRevoked));
}

#[test]
fn key_file_or_directory_writable_by_others_is_refused_if_strict() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let mut authentication = with_files(folder.path());
    let path = folder.path().join("ops");
    for mode in [0o664, 0o646] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            authentication.authorize_key(OPS, data(&key)),
            Err(LoginRefusalReason::KeyFileUnsafe),
            "{mode:o}"
        );
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o770)).unwrap();
    assert_eq!(authentication.authorize_key(OPS, data(&key)), Err(LoginRefusalReason::KeyFileUnsafe));
    authentication.key_files.strict_modes = false;
    assert!(authentication.authorize_key(OPS, data(&key)).is_ok());
}

#[test]
fn symlinked_key_file_is_refused_in_a_directory_writable_by_others() {
    let (folder, elsewhere, key) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), key());
    list(&elsewhere, "there", "", &key);
    symlink(elsewhere.path().join("there"), folder.path().join("ops")).unwrap();
    symlink(elsewhere.path(), folder.path().join("keys")).unwrap();
    fs::rename(elsewhere.path().join("there"), elsewhere.path().join("ops")).unwrap();
    symlink("ops", elsewhere.path().join("there")).unwrap();
    for authentication in [with_files(folder.path()), with_files(&folder.path().join("keys"))] {
        fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(authentication.authorize_key(OPS, data(&key)).is_ok());
        fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(authentication.authorize_key(OPS, data(&key)), Err(LoginRefusalReason::KeyFileUnsafe));
    }
}

#[test]
fn valid_certificate_is_accepted() {
    let authority = key();
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        ..Authentication::default()
    };
    let good = certificate(&authority, |builder| {
        for_ops(builder);
        builder.serial(7).unwrap().key_id("laptop of ops").unwrap();
    });
    let Ok(SshProof::Certificate { key_id, serial, .. }) = authentication.authorize_certificate(OPS, &good)
    else {
        panic!("certificate was refused");
    };
    assert_eq!((key_id.as_str(), serial), ("laptop of ops", 7));
    let near = certificate(&authority, |builder| {
        for_ops(builder);
        builder.critical_option("source-address", "127.0.0.0/8,::1").unwrap();
    });
    assert!(authentication.authorize_certificate(OPS, &near).is_ok());
}

#[test]
fn review_l13_proof_of_a_certificate_is_revoked_with_the_certified_key() {
    let authority = key();
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        ..Authentication::default()
    };
    let certificate = certificate(&authority, for_ops);
    let proof = authentication.authorize_certificate(OPS, &certificate).unwrap();
    let certified_key = PublicKey::from(certificate.public_key().clone());
    for (key, is_revoked) in
        [(&certified_key, true), (authority.public_key(), true), (key().public_key(), false)]
    {
        let revoked = RevokedKeys::parse(key.to_openssh().unwrap()).unwrap();
        assert_eq!(revoked.contains_proof(&proof), is_revoked, "{key:?}");
    }
}

#[test]
fn invalid_certificates_are_refused_with_their_reason() {
    let (authority, untrusted) = (key(), key());
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        revoked: RevokedKeys::parse("serial: 1000-2000\nid: lost\n").unwrap(),
        ..Authentication::default()
    };
    let with = |name: &'static str, value: &'static str| {
        certificate(&authority, |builder| {
            for_ops(builder);
            builder.critical_option(name, value).unwrap();
        })
    };
    let cases = [
        (certificate(&untrusted, for_ops), LoginRefusalReason::CertificateUntrusted),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::User).unwrap().valid_principal("Ops").unwrap();
            }),
            LoginRefusalReason::CertificatePrincipal,
        ),
        (issued(&authority, 1000, 2000, for_ops), LoginRefusalReason::CertificateExpired),
        (issued(&authority, u64::MAX / 4, u64::MAX / 2, for_ops), LoginRefusalReason::CertificateExpired),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::Host).unwrap().valid_principal("ops").unwrap();
            }),
            LoginRefusalReason::CertificateHostType,
        ),
        (with("source-address", "192.0.2.0/24"), LoginRefusalReason::CertificateSource),
        (with("source-address", "everywhere"), LoginRefusalReason::CertificateSource),
        (with("force-command", "/bin/true"), LoginRefusalReason::CertificateCommand),
        (
            certificate(&authority, |builder| {
                for_ops(builder);
                builder.serial(1500).unwrap();
            }),
            LoginRefusalReason::CertificateRevoked,
        ),
        (
            certificate(&authority, |builder| {
                for_ops(builder);
                builder.key_id("lost").unwrap();
            }),
            LoginRefusalReason::CertificateRevoked,
        ),
        (with("verify-required", ""), LoginRefusalReason::CertificateOption),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::User).unwrap().all_principals_valid().unwrap();
            }),
            LoginRefusalReason::CertificatePrincipal,
        ),
    ];
    for (certificate, expected) in cases {
        assert_eq!(authentication.authorize_certificate(OPS, &certificate), Err(expected));
    }
}

#[test]
fn cert_authority_line_in_a_users_key_file_applies_only_to_that_user() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let authentication = with_files(folder.path());
    let nameless = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().all_principals_valid().unwrap();
    });
    let named = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().valid_principal("oncall").unwrap();
    });
    list(&folder, "ops", "cert-authority ", &authority);
    assert!(authentication.authorize_certificate(OPS, &nameless).is_ok());
    assert_eq!(
        authentication.authorize_certificate(OPS, &named),
        Err(LoginRefusalReason::CertificatePrincipal)
    );
    let root = LoginAttempt { user: "root", ..OPS };
    assert_eq!(
        authentication.authorize_certificate(root, &nameless),
        Err(LoginRefusalReason::CertificateUntrusted)
    );
    list(&folder, "ops", "cert-authority,principals=\"oncall,spare\" ", &authority);
    assert!(authentication.authorize_certificate(OPS, &named).is_ok());
    assert_eq!(
        authentication.authorize_certificate(OPS, &nameless),
        Err(LoginRefusalReason::CertificatePrincipal)
    );
    list(&folder, "ops", "cert-authority,from=\"192.0.2.1\" ", &authority);
    assert_eq!(authentication.authorize_certificate(OPS, &nameless), Err(LoginRefusalReason::KeySource));
    list(&folder, "ops", "", &authority);
    assert_eq!(
        authentication.authorize_certificate(OPS, &nameless),
        Err(LoginRefusalReason::CertificateUntrusted)
    );
}

#[test]
fn cert_authority_line_in_a_users_key_file_adds_accepted_principals() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let authorities = Authorities::new([data(&authority).clone()]);
    let authentication = Authentication { authorities, ..with_files(folder.path()) };
    let oncall = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().valid_principal("oncall").unwrap();
    });
    list(&folder, "ops", "", &key());
    assert_eq!(
        authentication.authorize_certificate(OPS, &oncall),
        Err(LoginRefusalReason::CertificatePrincipal)
    );
    list(&folder, "ops", "cert-authority,principals=\"oncall\" ", &authority);
    assert!(authentication.authorize_certificate(OPS, &oncall).is_ok());
    list(&folder, "ops", "cert-authority,principals=\"spare\" ", &authority);
    assert_eq!(
        authentication.authorize_certificate(OPS, &oncall),
        Err(LoginRefusalReason::CertificatePrincipal)
    );
}

#[test]
fn certificate_must_contain_a_principal_from_the_principals_file() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        principals: Some(KeyFiles::new([format!("{}/%u", folder.path().display())]).unwrap()),
        ..Authentication::default()
    };
    let named = |name: &'static str| {
        certificate(&authority, |builder| {
            builder.cert_type(CertType::User).unwrap().valid_principal(name).unwrap();
        })
    };
    // If the user has no file, no principal is accepted, not even the user's own name.
    assert_eq!(
        authentication.authorize_certificate(OPS, &named("ops")),
        Err(LoginRefusalReason::CertificatePrincipal)
    );
    let file = folder.path().join("ops");
    fs::write(&file, "oncall\nfrom=\"192.0.2.0/24\" elsewhere\nfrom=\"127.0.0.1\" here\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    for (name, expected) in [("oncall", true), ("here", true), ("elsewhere", false), ("ops", false)] {
        assert_eq!(authentication.authorize_certificate(OPS, &named(name)).is_ok(), expected, "{name}");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(
        authentication.authorize_certificate(OPS, &named("oncall")),
        Err(LoginRefusalReason::KeyFileUnsafe)
    );
}

#[test]
fn named_pipe_as_key_file_is_refused_without_blocking() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let pipe = folder.path().join("ops");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let authentication = with_files(folder.path());
    assert_eq!(authentication.authorize_key(OPS, data(&key)), Err(LoginRefusalReason::KeyFileUnsafe));
}

/// Only regular files are opened: opening a device may have effects, for example on the agent's
/// controlling terminal.
#[test]
fn review_h2_named_pipe_as_key_file_is_not_opened_for_reading() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink(&pipe, folder.path().join("ops")).unwrap();
    let authentication = with_files(folder.path());
    // A writer's open returns as soon as a reader has opened the pipe.
    let is_opened = Arc::new(AtomicBool::new(false));
    let writer = thread::spawn({
        let (is_opened, pipe) = (Arc::clone(&is_opened), pipe.clone());
        move || {
            let _writer = fs::OpenOptions::new().write(true).open(pipe).unwrap();
            is_opened.store(true, Relaxed);
        }
    });
    for _ in 0..20 {
        assert_eq!(authentication.authorize_key(OPS, data(&key)), Err(LoginRefusalReason::KeyFileUnsafe));
        thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_opened.load(Relaxed), "the pipe was opened");
    let _reader = fs::File::open(pipe).unwrap();
    writer.join().unwrap();
}

#[test]
fn review_h2_key_file_in_home_directory_is_read_with_that_users_rights() {
    if !can_use_rights_of_others() {
        return;
    }
    let passwd = fs::read_to_string("/etc/passwd").unwrap();
    let account = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let account = account.into_iter().find(|fields| fields.get(2) == Some(&"65534"));
    let Some(account) = account else {
        println!("skipped: no account has the user ID 65534");
        return;
    };
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let home = folder.path().join(account[5].trim_start_matches('/'));
    fs::create_dir_all(&home).unwrap();
    let file = home.join("keys");
    fs::write(&file, key.public_key().to_openssh().unwrap()).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let pattern = format!("{}%h/keys", folder.path().display());
    let key_files = KeyFiles::new([pattern]).unwrap();
    let authentication = Authentication { key_files, ..Authentication::default() };
    let attempt = LoginAttempt { user: account[0], ..OPS };
    let authorize = || authentication.authorize_key(attempt, data(&key)).map(|_| ());
    assert_eq!(authorize(), Err(LoginRefusalReason::KeyNotListed), "a file that only root can read");
    chown(&file, Some(65_534), Some(65_534)).unwrap();
    assert_eq!(authorize(), Ok(()), "the user's own file");
    chown(&home, Some(65_534), Some(65_534)).unwrap();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(authorize(), Ok(()), "in the user's own directory");
}

#[test]
fn review_m3_certificates_with_sha1_or_short_rsa_signature_are_refused() {
    for (text, expected) in [
        (include_str!("../../../tests/data/user-certificate-rsa-authority.pub"), None),
        (
            include_str!("../../../tests/data/user-certificate-sha1-signature.pub"),
            Some(LoginRefusalReason::CertificateWeak),
        ),
        (
            include_str!("../../../tests/data/user-certificate-short-rsa-authority.pub"),
            Some(LoginRefusalReason::CertificateWeak),
        ),
    ] {
        let certificate = Certificate::from_openssh(text.trim()).unwrap();
        let authority = certificate.signature_key().clone();
        let authentication = Authentication {
            authorities: Authorities::new([authority.clone()]),
            ..Authentication::default()
        };
        assert_eq!(authentication.authorize_certificate(OPS, &certificate).err(), expected, "{text}");
        let folder = tempfile::tempdir().unwrap();
        let line = PublicKey::from(authority).to_openssh().unwrap();
        write_key_file(&folder, "ops", &format!("cert-authority {line}\n"));
        let result = with_files(folder.path()).authorize_certificate(OPS, &certificate);
        assert_eq!(result.err(), expected, "{text}");
    }
}

#[test]
fn review_m3_authority_with_a_short_rsa_key_is_rejected_when_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authorities");
    let text = include_str!("../../../tests/data/user-certificate-short-rsa-authority.pub");
    let certificate = Certificate::from_openssh(text.trim()).unwrap();
    let authority = PublicKey::from(certificate.signature_key().clone()).to_openssh().unwrap();
    fs::write(&file, format!("# authorities\n{authority}\n")).unwrap();
    let error = Authorities::load(&file).unwrap_err();
    assert!(error.problem.starts_with("line 2: "), "{error}");
}

#[test]
fn review_m4_certificate_of_a_fido_security_key_is_refused() {
    let authority = key();
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        ..Authentication::default()
    };
    let subject = PublicKey::from_openssh(SECURITY_KEY).unwrap();
    let mut builder = Builder::new_with_random_nonce(&mut rng(), &subject, 0, u64::MAX - 1).unwrap();
    for_ops(&mut builder);
    let certificate = builder.sign(&authority).unwrap();
    assert_eq!(authentication.authorize_certificate(OPS, &certificate), Err(LoginRefusalReason::SecurityKey));
    // A line with such a key in the user's own file does not allow a login either.
    let folder = tempfile::tempdir().unwrap();
    write_key_file(&folder, "ops", &format!("{SECURITY_KEY}\n"));
    let result = with_files(folder.path()).authorize_key(OPS, subject.key_data());
    assert_eq!(result, Err(LoginRefusalReason::SecurityKey));
}

#[test]
fn pattern_depends_on_user_when_it_contains_percent_u_or_percent_h() {
    for (pattern, expected) in
        [("/etc/keys/%u", true), ("%h/.ssh/keys", true), ("/etc/keys", false), ("/etc/100%%u", false)]
    {
        assert_eq!(KeyFiles::depends_on_user(pattern), expected, "{pattern}");
    }
}

#[test]
fn invalid_key_file_patterns_are_rejected() {
    for bad in ["relative/%u", "%u", "/etc/%x", "/etc/%", "/etc/../%u", ""] {
        assert!(KeyFiles::new([bad]).is_err(), "{bad}");
    }
    for good in ["/etc/keys/%u", "%h/.ssh/authorized_keys", "/etc/100%%/keys"] {
        assert!(KeyFiles::new([good]).is_ok(), "{good}");
    }
}

const SECURITY_KEY: &str = "sk-ssh-ed25519@openssh.com \
     AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIGfJORDYctSyuvtoqM+ivUMJ8hnC8sjyBJiKCsilTQ+nAAAABHNzaDo=";
