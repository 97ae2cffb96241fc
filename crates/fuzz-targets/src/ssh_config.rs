//! Arbitrary text as `ssh_config`, and as every file that it includes.

use std::{
    io,
    path::{Path, PathBuf},
};

use portreeve_channel_ssh::client::{
    LocalUser,
    ssh_config::{ConfigFiles, HostQuery, HostSettings, Proxy},
};

/// Checks that reading terminates even if files include each other, that all values are valid, and
/// that an error is a single line with its location.
pub fn ssh_config(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    if text.len() > MAX_INPUT_LEN {
        return;
    }
    let local = LocalUser { home: "/home/u".into(), user: "u".into(), uid: 1, host: "h".into() };
    let lines = text.lines().count();
    for (host, user) in [("gw", None), ("a.example", Some("root"))] {
        match HostSettings::read(
            HostQuery { host, user, local: &local },
            &["config".into()],
            &SameTextFiles(text),
        ) {
            Ok(found) => {
                assert_ne!(found.port, Some(0));
                let texts = [&found.host_name, &found.user, &found.identity_agent, &found.host_key_alias];
                assert!(texts.into_iter().flatten().all(|text| !text.is_empty()), "{found:?}");
                if let Some(Proxy::Jump(hops)) = &found.proxy {
                    assert!(
                        hops.iter().all(|hop| !hop.host.is_empty() && !hop.host.starts_with('-')),
                        "{hops:?}"
                    );
                }
            }
            Err(error) => {
                assert!((1..=lines).contains(&error.location.line), "{error}");
                assert!(!error.problem.is_empty() && !error.to_string().contains('\n'), "{error}");
            }
        }
    }
}

/// A file system in which every file contains the same text, and every pattern matches one file.
struct SameTextFiles<'t>(&'t str);

impl ConfigFiles for SameTextFiles<'_> {
    fn read(&self, _: &Path) -> io::Result<Option<String>> {
        Ok(Some(self.0.to_owned()))
    }

    fn included(&self, _: &str, _: &Path, _: &LocalUser) -> io::Result<Vec<PathBuf>> {
        Ok(vec!["included".into()])
    }
}

const MAX_INPUT_LEN: usize = 16 << 10;
