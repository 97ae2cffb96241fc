use portreeve_channel::SshProof;

use super::*;

fn name(user: &str) -> Option<Arc<[u8]>> {
    ssh_security_name(&SshIdentity { user: user.to_owned(), proof: SshProof::Password })
}

//= rfc5592#5.1-2
//= type=test
#[test]
fn user_name_becomes_security_name_unchanged() {
    for user in ["ops", "Ops", "ops ", " ops", "оps", "a@b", &"n".repeat(32)] {
        assert_eq!(name(user).as_deref(), Some(user.as_bytes()));
    }
}

#[test]
fn review_l4_user_names_with_bidirectional_controls_are_not_mapped() {
    for control in ['\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}'] {
        assert_eq!(name(&format!("ops{control}x")), None, "{control:?}");
    }
    assert!(name("ש").is_some());
}

#[test]
fn invalid_user_names_are_not_mapped() {
    for user in ["", "root\0x", "ops\n", "\u{9b}31m", &"n".repeat(33), &"n".repeat(65_536)] {
        assert_eq!(name(user), None, "{user:?}");
    }
}
