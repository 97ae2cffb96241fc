//! Arbitrary text as `known_hosts`.

use std::path::Path;

use portreeve_channel_ssh::client::known_hosts::{HostKey, HostKeyVerdict, HostName, KnownHosts};

/// Checks that a key that is not in the file is never known, that a result refers to an existing
/// line, and that reading the same text twice gives the same result.
pub fn known_hosts(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let lines = text.lines().count();
    let unknown_key = HostKey::new(b"\0\0\0\x0bssh-ed25519never in any file".to_vec()).expect("a key");
    for name in [HostName::new("gw", 22), HostName::new("gw.example", 5161), HostName::alias("rack")] {
        let mut known = KnownHosts::default();
        known.add_file(&name, Path::new("known_hosts"), text);
        assert!(known.invalid_lines().iter().all(|place| (1..=lines).contains(&place.line)));
        match known.check_key(&unknown_key) {
            HostKeyVerdict::Known | HostKeyVerdict::Certified => panic!("an unknown key was accepted"),
            HostKeyVerdict::Changed { known: entry } => assert!((1..=lines).contains(&entry.location.line)),
            HostKeyVerdict::Unknown { .. }
            | HostKeyVerdict::Revoked { .. }
            | HostKeyVerdict::BadCertificate(_) => {}
        }
        let mut again = KnownHosts::default();
        again.add_file(&name, Path::new("known_hosts"), text);
        assert_eq!(known, again);
    }
}
