//! The local user and host, for ssh_config tokens and defaults.

use std::{env, fs, path::PathBuf};

/// The local user and host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalUser {
    /// The user's home directory.
    pub home: PathBuf,
    /// The user's name.
    pub user: String,
    /// The numeric user ID.
    pub uid: u32,
    /// The name of this host.
    pub host: String,
}

impl LocalUser {
    /// Reads the local user and host from the system. The home directory comes from `$HOME`, the
    /// name from the user ID.
    pub fn current() -> Self {
        let uid = rustix::process::geteuid().as_raw();
        let from_passwd = fs::read_to_string("/etc/passwd").ok().and_then(|passwd| name_of(uid, &passwd));
        let from_environment = || env::var("LOGNAME").or_else(|_| env::var("USER")).unwrap_or_default();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Self {
            home: env::home_dir().unwrap_or_else(|| PathBuf::from("/")),
            user: from_passwd.unwrap_or_else(from_environment),
            uid,
            host: host.trim().to_owned(),
        }
    }
}

fn name_of(uid: u32, passwd: &str) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_name_is_found_in_passwd_by_uid() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nbad line\nann:x:1000:1000::/home/ann:/bin/sh\n";
        assert_eq!(name_of(1000, passwd).as_deref(), Some("ann"));
        assert_eq!(name_of(7, passwd), None);
    }
}
