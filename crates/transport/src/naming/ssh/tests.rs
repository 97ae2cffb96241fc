use portreeve_channel::SshProof;

use super::*;

fn name(user: &str) -> Option<Arc<[u8]>> {
    ssh_security_name(&SshIdentity { user: user.to_owned(), proof: SshProof::Password })
}

//= rfc5592#5.1-2
//= type=test
#[test]
fn the_user_name_is_the_security_name_to_the_octet() {
    for user in ["ops", "Ops", "ops ", " ops", "оps", "a@b", &"n".repeat(32)] {
        assert_eq!(name(user).as_deref(), Some(user.as_bytes()));
    }
}

#[test]
fn names_that_nobody_can_be_granted_anything_under_are_no_names() {
    for user in ["", "root\0x", "ops\n", "\u{9b}31m", &"n".repeat(33), &"n".repeat(65_536)] {
        assert_eq!(name(user), None, "{user:?}");
    }
}
