//! User names, and the home directories and groups of local users.

use std::{fs::File, path::PathBuf};

use super::LoginRefusalReason;
use crate::keys;

/// A user's line in /etc/passwd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PasswdEntry {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) home: PathBuf,
}

impl PasswdEntry {
    /// Returns the user's own group and those of /etc/group that list the user.
    pub(super) fn groups(&self) -> Vec<u32> {
        let file = File::open("/etc/group").and_then(|file| keys::read_text(file, MAX_PASSWD_LEN));
        let mut groups = vec![self.gid];
        // If /etc/group cannot be read, the user has only the group from /etc/passwd.
        groups.extend(parse_groups(&file.unwrap_or_default(), &self.name));
        groups.truncate(MAX_GROUPS);
        groups
    }
}

/// Checks that a user name is valid. The name is then used exactly as received: case is not folded,
/// blanks are not trimmed, and similar characters are not mapped.
pub(super) fn check_name(name: &str) -> Result<(), LoginRefusalReason> {
    let is_forbidden = |character: char| character.is_control() || character == '/';
    if name.is_empty()
        || name.len() > MAX_USER_NAME_LEN
        || name.contains(is_forbidden)
        || matches!(name, "." | "..")
    {
        return Err(LoginRefusalReason::UserName);
    }
    Ok(())
}

/// Returns the user's entry in /etc/passwd. Other user databases are not queried.
pub(super) fn find(name: &str) -> Option<PasswdEntry> {
    let file = File::open("/etc/passwd").ok()?;
    parse(&keys::read_text(file, MAX_PASSWD_LEN).ok()?, name)
}

fn parse(passwd: &str, name: &str) -> Option<PasswdEntry> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        let home = PathBuf::from(fields.nth(1)?);
        home.is_absolute().then_some(PasswdEntry { name: name.to_owned(), uid, gid, home })
    })
}

/// Returns the groups that list the user as a member.
fn parse_groups(groups: &str, user: &str) -> impl Iterator<Item = u32> {
    groups.lines().filter_map(move |line| {
        let mut fields = line.split(':').skip(2);
        let gid = fields.next()?.parse().ok()?;
        fields.next()?.split(',').any(|member| member == user).then_some(gid)
    })
}

/// Maximum length of a user name in bytes.
const MAX_USER_NAME_LEN: usize = 255;
/// Maximum number of groups of a user in Linux.
const MAX_GROUPS: usize = 65_536;
/// Maximum size of /etc/passwd and /etc/group in bytes.
const MAX_PASSWD_LEN: u64 = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_user_names_are_rejected() {
        for name in [
            "",
            ".",
            "..",
            "../root",
            "a/b",
            "root\0x",
            "root\n",
            "\u{7f}",
            "\u{85}",
            &"a".repeat(256),
            &"a".repeat(65_536),
        ] {
            assert_eq!(check_name(name), Err(LoginRefusalReason::UserName), "{:?}", name.get(..10));
        }
        for name in ["root", "root ", "Root", "rооt", "ops@example", "-x", "a.b", "DOMAIN\\ops", "..x"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn passwd_lookup_matches_exact_name() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nops:x:1000:1000:Ops,,,:/home/ops:/bin/sh\nbad:x:x:1::/x:\nrel:x:7:7::home:\n";
        let ops = PasswdEntry { name: "ops".into(), uid: 1000, gid: 1000, home: "/home/ops".into() };
        assert_eq!(parse(passwd, "ops"), Some(ops));
        for name in ["Ops", "ops ", "op", "x", "bad", "rel", ""] {
            assert_eq!(parse(passwd, name), None, "{name}");
        }
    }

    #[test]
    fn group_lookup_matches_exact_member() {
        let groups =
            "root:x:0:\nadm:x:4:syslog,ops\nops:x:1000:\nbad:x:x:ops\nstaff:x:50:ops\nx:x:7:opsx, ops\n";
        assert_eq!(parse_groups(groups, "ops").collect::<Vec<_>>(), [4, 50]);
        assert_eq!(parse_groups(groups, "op").count(), 0);
    }
}
