//! Files of SSH keys: authorized_keys, and lists of revoked ones.

use std::net::IpAddr;

use portreeve_channel_ssh::keys::{AuthorizedKeys, RevokedKeys};

/// Promises: a line counts or is refused, never both, and is passed over only if it is blank or a comment; lines keep their
/// order; what is said of a refused line has no control characters in it.
pub fn authorized_keys(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let parsed = AuthorizedKeys::parse(text);
    let revoked = RevokedKeys::parse(text).unwrap_or_default();
    let lines: Vec<_> = parsed.keys.iter().map(|key| key.line).collect();
    assert!(lines.is_sorted(), "out of order");
    for refused in &parsed.refused {
        assert!(!lines.contains(&refused.line), "line {} counts and is refused", refused.line);
        assert!(!refused.to_string().contains(char::is_control), "{refused:?}");
    }
    for key in &parsed.keys {
        revoked.has_key(&key.key);
        if let Some(from) = &key.options.from {
            from.contains(IpAddr::from([127, 0, 0, 1]));
        }
    }
    let blank = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
    let meant = text.lines().filter(|line| !blank(line)).count();
    assert!(
        parsed.keys.len() + parsed.refused.len() >= meant.min(AuthorizedKeys::MOST_LINES),
        "a line was passed over"
    );
}
