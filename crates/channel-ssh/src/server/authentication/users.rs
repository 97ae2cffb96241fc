//! Users' names, and where this machine's users live.

use std::{fs::File, path::PathBuf};

use super::Refusal;
use crate::keys;

/// A user that this machine knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LocalUser {
    pub(super) number: u32,
    pub(super) home: PathBuf,
}

/// Whether anybody can have that name. It is then used exactly as it is: no case is folded, no blank cut off, no letter
/// taken for one that looks like it.
pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    let odd = |letter: char| letter.is_control() || letter == '/';
    if name.is_empty() || name.len() > LONGEST_NAME || name.contains(odd) || matches!(name, "." | "..") {
        return Err(Refusal::UserName);
    }
    Ok(())
}

/// The user of that name in /etc/passwd; other directories of users are not asked.
pub(super) fn find(name: &str) -> Option<LocalUser> {
    let file = File::open("/etc/passwd").ok()?;
    parse(&keys::read_text(file, LONGEST_FILE).ok()?, name)
}

fn parse(passwd: &str, name: &str) -> Option<LocalUser> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let number = fields.nth(1)?.parse().ok()?;
        let home = PathBuf::from(fields.nth(2)?);
        home.is_absolute().then_some(LocalUser { number, home })
    })
}

/// Octets of a name.
const LONGEST_NAME: usize = 255;
/// Octets of /etc/passwd.
const LONGEST_FILE: u64 = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_lead_elsewhere_are_nobodys() {
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
            assert_eq!(check_name(name), Err(Refusal::UserName), "{:?}", name.get(..10));
        }
        for name in ["root", "root ", "Root", "rооt", "ops@example", "-x", "a.b", "DOMAIN\\ops", "..x"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_user_is_found_by_the_exact_name() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nops:x:1000:1000:Ops,,,:/home/ops:/bin/sh\nbad:x:x:1::/x:\nrel:x:7:7::home:\n";
        assert_eq!(parse(passwd, "ops"), Some(LocalUser { number: 1000, home: "/home/ops".into() }));
        for name in ["Ops", "ops ", "op", "x", "bad", "rel", ""] {
            assert_eq!(parse(passwd, name), None, "{name}");
        }
    }
}
