//! Any text as `known_hosts`.

use std::path::Path;

use portreeve_channel_ssh::client::known_hosts::{HostKey, HostName, KnownHosts, Verdict};

/// Promises: a key of which no file has the octets is never known, what is said of a key stands in a line that there is,
/// and lines that are read twice say the same.
pub fn known_hosts(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let lines = text.lines().count();
    let stranger = HostKey::new(b"\0\0\0\x0bssh-ed25519never in any file".to_vec()).expect("a key");
    for name in [HostName::new("gw", 22), HostName::new("gw.example", 5161), HostName::alias("rack")] {
        let mut known = KnownHosts::default();
        known.add_file(&name, Path::new("known_hosts"), text);
        assert!(known.unreadable().iter().all(|place| (1..=lines).contains(&place.line)));
        match known.judge(&stranger) {
            Verdict::Known | Verdict::Certified => panic!("a stranger is known"),
            Verdict::Changed { known: entry } => assert!((1..=lines).contains(&entry.place.line)),
            Verdict::Unknown { .. } | Verdict::Revoked { .. } | Verdict::BadCertificate(_) => {}
        }
        let mut again = KnownHosts::default();
        again.add_file(&name, Path::new("known_hosts"), text);
        assert_eq!(known, again);
    }
}
