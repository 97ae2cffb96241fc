use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, SystemTime},
};

use portreeve_pki::{Holder, HolderRole, SshAuthority, Validity, encode_ssh_key, new_ssh_key};
use russh::keys::PrivateKey;

use super::HostKeys;

#[test]
fn host_certificate_file_next_to_its_key_file_is_loaded() {
    let without = load(|_, _| None).unwrap();
    assert_eq!(without.into_parts().1.len(), 0);
    let certified = load(|authority, key| Some(certificate(authority, key, HolderRole::Host))).unwrap();
    let (keys, certificates) = certified.into_parts();
    assert_eq!(certificates.len(), 1);
    assert_eq!(certificates[0].public_key(), keys[0].public_key().key_data());
}

#[test]
fn invalid_host_certificate_is_reported_with_a_hint() {
    for (why, text) in [
        ("junk", load(|_, _| Some("garbage".to_owned()))),
        ("a user's", load(|authority, key| Some(certificate(authority, key, HolderRole::User)))),
        (
            "another key's",
            load(|authority, _| Some(certificate(authority, &new_ssh_key("").unwrap(), HolderRole::Host))),
        ),
    ] {
        let problem = text.err().unwrap().to_string();
        assert!(
            problem.contains("-cert.pub: not a")
                && problem.contains(" certificate")
                && problem.contains("\nhint: "),
            "{why}: {problem}"
        );
    }
}

#[test]
fn missing_or_invalid_host_key_file_is_reported_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("host");
    let refused = || HostKeys::load(std::slice::from_ref(&path)).err().unwrap().to_string();
    assert!(
        refused().contains("host: no such file\nhint: create a host key with `portreeve keys host NAME`"),
        "{}",
        refused()
    );
    let key = new_ssh_key("").unwrap();
    fs::write(&path, key.public_key().to_openssh().unwrap()).unwrap();
    assert!(refused().contains(
        "host: public key instead of a private key\nhint: specify the private key: the file without .pub"
    ));
    fs::write(&path, "garbage").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(refused().contains(
        "host: private key accessible by other users\nhint: make the key accessible to its owner only: chmod 600"
    ));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(refused().contains("host: not a private key in OpenSSH format\nhint: "));
}

/// Loads a host key. `certificate_text` creates the content of the certificate file from an
/// authority and the key.
fn load(
    certificate_text: impl Fn(&SshAuthority, &PrivateKey) -> Option<String>,
) -> Result<HostKeys, crate::keys::KeyFileError> {
    let folder = tempfile::tempdir().unwrap();
    let (authority, key) = (SshAuthority::new(new_ssh_key("").unwrap()).unwrap(), new_ssh_key("").unwrap());
    let path = folder.path().join("key");
    fs::write(&path, encode_ssh_key(&key, None).unwrap().expose()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    if let Some(text) = certificate_text(&authority, &key) {
        fs::write(folder.path().join("key-cert.pub"), text).unwrap();
    }
    HostKeys::load(&[path])
}

fn certificate(authority: &SshAuthority, key: &PrivateKey, role: HolderRole) -> String {
    let valid = Validity::from_now(SystemTime::now(), Duration::from_secs(3600));
    let holder = Holder::new(role, "gw.example");
    authority.certify(key.public_key(), &holder, valid).unwrap().to_openssh().unwrap()
}
