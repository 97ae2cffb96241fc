use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use rand::rng;
use russh::keys::{
    Algorithm, PrivateKey,
    ssh_key::certificate::{Builder, CertType},
};
use tempfile::TempDir;

use super::*;

const OPS: Applicant<'_> = Applicant { user: "ops", address: IpAddr::V4(std::net::Ipv4Addr::LOCALHOST) };

fn key() -> PrivateKey {
    PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap()
}

fn data(key: &PrivateKey) -> &KeyData {
    key.public_key().key_data()
}

fn with_files(folder: &Path) -> Authentication {
    let pattern = format!("{}/%u", folder.display());
    Authentication { key_files: KeyFiles::new([pattern]).unwrap(), ..Authentication::default() }
}

/// A file of keys for the user, with options before the key.
fn list(folder: &TempDir, user: &str, options: &str, key: &PrivateKey) {
    let line = format!("{options}{}\n", key.public_key().to_openssh().unwrap());
    let path = folder.path().join(user);
    fs::write(&path, line).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
}

/// A certificate for ops that nothing is wrong with, and what is to be changed in it.
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
fn a_listed_key_lets_its_user_in_and_nobody_else() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let authentication = with_files(folder.path());
    assert!(matches!(authentication.judge_key(OPS, data(&key)), Ok(SshProof::PublicKey { .. })));
    for user in ["Ops", "ops ", " ops", "оps", "op", "ops\u{200b}"] {
        let other = Applicant { user, ..OPS };
        assert_eq!(authentication.judge_key(other, data(&key)), Err(Refusal::KeyNotListed), "{user:?}");
    }
    for user in ["", "ops\0", "../ops", "x/../ops", ".", &"o".repeat(65_536)] {
        let other = Applicant { user, ..OPS };
        assert_eq!(authentication.judge_key(other, data(&key)), Err(Refusal::UserName));
    }
}

#[test]
fn options_of_a_line_restrict_its_key() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let authentication = with_files(folder.path());
    for (options, expected) in [
        ("from=\"127.0.0.0/8\" ", None),
        ("from=\"192.0.2.1\" ", Some(Refusal::KeyFromElsewhere)),
        ("expiry-time=\"20200101Z\" ", Some(Refusal::KeyExpired)),
        ("expiry-time=\"29990101Z\" ", None),
        ("command=\"/bin/true\" ", Some(Refusal::KeyNotListed)),
        ("cert-authority ", Some(Refusal::KeyNotListed)),
        ("restrict ", None),
    ] {
        list(&folder, "ops", options, &key);
        assert_eq!(authentication.judge_key(OPS, data(&key)).err(), expected, "{options}");
    }
}

#[test]
fn revoked_keys_do_not_count() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let revoked = RevokedKeys::parse(key.public_key().to_openssh().unwrap()).unwrap();
    let authentication = Authentication { revoked, ..with_files(folder.path()) };
    assert_eq!(authentication.judge_key(OPS, data(&key)), Err(Refusal::KeyRevoked));
}

#[test]
fn files_that_others_could_have_written_are_not_believed() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    list(&folder, "ops", "", &key);
    let mut authentication = with_files(folder.path());
    let path = folder.path().join("ops");
    for mode in [0o664, 0o646] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(authentication.judge_key(OPS, data(&key)), Err(Refusal::KeyFileUnsafe), "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o770)).unwrap();
    assert_eq!(authentication.judge_key(OPS, data(&key)), Err(Refusal::KeyFileUnsafe));
    authentication.key_files.strict_modes = false;
    assert!(authentication.judge_key(OPS, data(&key)).is_ok());
}

#[test]
fn folders_that_a_link_leads_to_are_looked_at_as_well() {
    let (folder, elsewhere, key) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), key());
    list(&elsewhere, "there", "", &key);
    symlink(elsewhere.path().join("there"), folder.path().join("ops")).unwrap();
    symlink(elsewhere.path(), folder.path().join("keys")).unwrap();
    fs::rename(elsewhere.path().join("there"), elsewhere.path().join("ops")).unwrap();
    symlink("ops", elsewhere.path().join("there")).unwrap();
    for authentication in [with_files(folder.path()), with_files(&folder.path().join("keys"))] {
        fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(authentication.judge_key(OPS, data(&key)).is_ok());
        fs::set_permissions(elsewhere.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(authentication.judge_key(OPS, data(&key)), Err(Refusal::KeyFileUnsafe));
    }
}

#[test]
fn a_good_certificate_lets_in() {
    let authority = key();
    let authentication = Authentication {
        authorities: Authorities::new([data(&authority).clone()]),
        ..Authentication::default()
    };
    let good = certificate(&authority, |builder| {
        for_ops(builder);
        builder.serial(7).unwrap().key_id("laptop of ops").unwrap();
    });
    let Ok(SshProof::Certificate { key_id, serial, .. }) = authentication.judge_certificate(OPS, &good)
    else {
        panic!("refused");
    };
    assert_eq!((key_id.as_str(), serial), ("laptop of ops", 7));
    let near = certificate(&authority, |builder| {
        for_ops(builder);
        builder.critical_option("source-address", "127.0.0.0/8,::1").unwrap();
    });
    assert!(authentication.judge_certificate(OPS, &near).is_ok());
}

#[test]
fn certificates_are_refused_for_seven_reasons_and_two_more() {
    let (authority, stranger) = (key(), key());
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
        (certificate(&stranger, for_ops), Refusal::CertificateUntrusted),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::User).unwrap().valid_principal("Ops").unwrap();
            }),
            Refusal::CertificatePrincipal,
        ),
        (issued(&authority, 1000, 2000, for_ops), Refusal::CertificateExpired),
        (issued(&authority, u64::MAX / 4, u64::MAX / 2, for_ops), Refusal::CertificateExpired),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::Host).unwrap().valid_principal("ops").unwrap();
            }),
            Refusal::CertificateHostType,
        ),
        (with("source-address", "192.0.2.0/24"), Refusal::CertificateSource),
        (with("source-address", "everywhere"), Refusal::CertificateSource),
        (with("force-command", "/bin/true"), Refusal::CertificateCommand),
        (
            certificate(&authority, |builder| {
                for_ops(builder);
                builder.serial(1500).unwrap();
            }),
            Refusal::CertificateRevoked,
        ),
        (
            certificate(&authority, |builder| {
                for_ops(builder);
                builder.key_id("lost").unwrap();
            }),
            Refusal::CertificateRevoked,
        ),
        (with("verify-required", ""), Refusal::CertificateOption),
        (
            certificate(&authority, |builder| {
                builder.cert_type(CertType::User).unwrap().all_principals_valid().unwrap();
            }),
            Refusal::CertificatePrincipal,
        ),
    ];
    for (certificate, expected) in cases {
        assert_eq!(authentication.judge_certificate(OPS, &certificate), Err(expected));
    }
}

#[test]
fn an_authority_in_a_users_file_signs_for_that_user() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let authentication = with_files(folder.path());
    let nameless = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().all_principals_valid().unwrap();
    });
    let named = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().valid_principal("oncall").unwrap();
    });
    list(&folder, "ops", "cert-authority ", &authority);
    assert!(authentication.judge_certificate(OPS, &nameless).is_ok());
    assert_eq!(authentication.judge_certificate(OPS, &named), Err(Refusal::CertificatePrincipal));
    let root = Applicant { user: "root", ..OPS };
    assert_eq!(authentication.judge_certificate(root, &nameless), Err(Refusal::CertificateUntrusted));
    list(&folder, "ops", "cert-authority,principals=\"oncall,spare\" ", &authority);
    assert!(authentication.judge_certificate(OPS, &named).is_ok());
    assert_eq!(authentication.judge_certificate(OPS, &nameless), Err(Refusal::CertificatePrincipal));
    list(&folder, "ops", "cert-authority,from=\"192.0.2.1\" ", &authority);
    assert_eq!(authentication.judge_certificate(OPS, &nameless), Err(Refusal::KeyFromElsewhere));
    list(&folder, "ops", "", &authority);
    assert_eq!(authentication.judge_certificate(OPS, &nameless), Err(Refusal::CertificateUntrusted));
}

#[test]
fn a_users_file_may_name_others_for_an_authority_that_all_trust() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), key());
    let authorities = Authorities::new([data(&authority).clone()]);
    let authentication = Authentication { authorities, ..with_files(folder.path()) };
    let oncall = certificate(&authority, |builder| {
        builder.cert_type(CertType::User).unwrap().valid_principal("oncall").unwrap();
    });
    list(&folder, "ops", "", &key());
    assert_eq!(authentication.judge_certificate(OPS, &oncall), Err(Refusal::CertificatePrincipal));
    list(&folder, "ops", "cert-authority,principals=\"oncall\" ", &authority);
    assert!(authentication.judge_certificate(OPS, &oncall).is_ok());
    list(&folder, "ops", "cert-authority,principals=\"spare\" ", &authority);
    assert_eq!(authentication.judge_certificate(OPS, &oncall), Err(Refusal::CertificatePrincipal));
}

#[test]
fn files_of_principals_say_which_names_an_authority_may_certify() {
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
    // Without a file there is no name, not even one's own.
    assert_eq!(authentication.judge_certificate(OPS, &named("ops")), Err(Refusal::CertificatePrincipal));
    let file = folder.path().join("ops");
    fs::write(&file, "oncall\nfrom=\"192.0.2.0/24\" elsewhere\nfrom=\"127.0.0.1\" here\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    for (name, expected) in [("oncall", true), ("here", true), ("elsewhere", false), ("ops", false)] {
        assert_eq!(authentication.judge_certificate(OPS, &named(name)).is_ok(), expected, "{name}");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(authentication.judge_certificate(OPS, &named("oncall")), Err(Refusal::KeyFileUnsafe));
}

#[test]
fn small_files_of_the_operator_s_are_at_hand_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let authentication = with_files(folder.path());
    assert!(authentication.is_at_hand("ops"), "no file at all");
    fs::write(folder.path().join("ops"), "# no key\n").unwrap();
    assert!(authentication.is_at_hand("ops"));
    fs::write(folder.path().join("ops"), vec![b'#'; 40_000]).unwrap();
    assert!(!authentication.is_at_hand("ops"), "a long one");
    fs::create_dir(folder.path().join("dir")).unwrap();
    assert!(!authentication.is_at_hand("dir"));
    let homes = KeyFiles::new(["%h/.ssh/authorized_keys"]).unwrap();
    assert!(!Authentication { key_files: homes, ..Authentication::default() }.is_at_hand("root"));
}

#[test]
fn a_pipe_in_place_of_a_file_holds_nobody_up() {
    let (folder, key) = (tempfile::tempdir().unwrap(), key());
    let pipe = folder.path().join("ops");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let authentication = with_files(folder.path());
    assert!(!authentication.is_at_hand("ops"));
    assert_eq!(authentication.judge_key(OPS, data(&key)), Err(Refusal::KeyFileUnsafe));
}

#[test]
fn patterns_lead_to_absolute_paths_only() {
    for bad in ["relative/%u", "%u", "/etc/%x", "/etc/%", "/etc/../%u", ""] {
        assert!(KeyFiles::new([bad]).is_err(), "{bad}");
    }
    for good in ["/etc/keys/%u", "%h/.ssh/authorized_keys", "/etc/100%%/keys"] {
        assert!(KeyFiles::new([good]).is_ok(), "{good}");
    }
}
