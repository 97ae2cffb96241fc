//! Any text as `ssh_config`, and as every file that it includes.

use std::{
    io,
    path::{Path, PathBuf},
};

use portreeve_channel_ssh::client::{
    Local,
    ssh_config::{Files, HostSettings, Proxy, Query},
};

/// Promises: reading ends however files include each other, every value is one that can be used, and an error is one
/// line that names its place.
pub fn ssh_config(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    if text.len() > LONGEST {
        return;
    }
    let local = Local { home: "/home/u".into(), user: "u".into(), uid: 1, host: "h".into() };
    let lines = text.lines().count();
    for (host, user) in [("gw", None), ("a.example", Some("root"))] {
        match HostSettings::read(Query { host, user, local: &local }, &["config".into()], &Mirrors(text)) {
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
                assert!((1..=lines).contains(&error.place.line), "{error}");
                assert!(!error.what.is_empty() && !error.to_string().contains('\n'), "{error}");
            }
        }
    }
}

/// A disk on which every file has the same text, and every pattern means one file.
struct Mirrors<'t>(&'t str);

impl Files for Mirrors<'_> {
    fn text(&self, _: &Path) -> io::Result<Option<String>> {
        Ok(Some(self.0.to_owned()))
    }

    fn included(&self, _: &str, _: &Path, _: &Local) -> io::Result<Vec<PathBuf>> {
        Ok(vec!["included".into()])
    }
}

const LONGEST: usize = 16 << 10;
