//! Files of SSH keys: authorized_keys and lists of revoked keys.

use std::net::IpAddr;

use portreeve_channel_ssh::keys::{AuthorizedKeys, RevokedKeys};

/// Checks that each line is either accepted or rejected, or is blank or a comment; that lines keep
/// their order; and that error messages contain no control characters.
pub fn authorized_keys(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let parsed = AuthorizedKeys::parse(text);
    let revoked = RevokedKeys::parse(text).unwrap_or_default();
    let lines: Vec<_> = parsed.keys.iter().map(|key| key.line).collect();
    assert!(lines.is_sorted(), "out of order");
    for refused in &parsed.rejected {
        assert!(!lines.contains(&refused.line), "line {} is both accepted and rejected", refused.line);
        assert!(!refused.to_string().contains(char::is_control), "{refused:?}");
    }
    for key in &parsed.keys {
        revoked.contains_key(&key.key);
        if let Some(from) = &key.options.from {
            from.contains(IpAddr::from([127, 0, 0, 1]));
        }
    }
    let blank = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
    let significant = text.lines().filter(|line| !blank(line)).count();
    assert!(
        parsed.keys.len() + parsed.rejected.len() >= significant.min(AuthorizedKeys::MAX_LINES),
        "a line was skipped"
    );
}
