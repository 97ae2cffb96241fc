//! Where everything lies.

use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
};

use portreeve_pki::HolderRole;

use crate::{CommandError, files};

/// The folder of the authorities, and of what they have made.
#[derive(Clone, Debug)]
pub(crate) struct KeyFolder(PathBuf);

impl KeyFolder {
    /// The one that was named, or the user's own.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, CommandError> {
        if let Some(named) = named {
            return std::path::absolute(named).map(Self).map_err(|error| CommandError::io(named, &error));
        }
        let from =
            |variable| env::var_os(variable).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
        let config = from("XDG_CONFIG_HOME").or_else(|| Some(from("HOME")?.join(".config")));
        let config = config.ok_or_else(|| {
            CommandError::new("it is not known where keys lie: HOME is not set")
                .with_hint("name a folder with --dir")
        })?;
        Ok(Self(config.join("portreeve/keys")))
    }

    /// Makes it, and keeps everybody else from changing it until the file is closed.
    pub(crate) fn lock(&self) -> Result<File, CommandError> {
        files::make_folder(&self.0)?;
        let folder = File::open(&self.0).map_err(|error| CommandError::io(&self.0, &error))?;
        folder.lock().map_err(|error| CommandError::io(&self.0, &error))?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A file at its top.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Whether a file is at its top.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// What one host or user has.
    pub(crate) fn holder_folder(&self, role: HolderRole, name: &str) -> HolderFolder {
        HolderFolder { role, name: name.to_owned(), path: self.0.join(role_folder(role)).join(name) }
    }

    /// The hosts or users that have something, by name.
    pub(crate) fn holder_folders(&self, role: HolderRole) -> Vec<HolderFolder> {
        let entries = std::fs::read_dir(self.0.join(role_folder(role))).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names.into_iter().map(|name| self.holder_folder(role, &name)).collect()
    }

    /// The host or user of this name. `hosts/NAME` and `users/NAME` tell them apart.
    pub(crate) fn find_holder(&self, name: &str) -> Result<HolderFolder, CommandError> {
        let (roles, bare) = match name.split_once('/') {
            Some((HOSTS, bare)) => (vec![HolderRole::Host], bare),
            Some((USERS, bare)) => (vec![HolderRole::User], bare),
            _ => (vec![HolderRole::Host, HolderRole::User], name),
        };
        let found: Vec<_> = roles
            .into_iter()
            .filter(|_| !bare.is_empty() && !bare.contains('/') && !bare.starts_with('.'))
            .map(|role| self.holder_folder(role, bare))
            .filter(|holder_folder| holder_folder.path.is_dir())
            .collect();
        match <[HolderFolder; 1]>::try_from(found) {
            Ok([holder_folder]) => Ok(holder_folder),
            Err(found) if found.is_empty() => {
                Err(CommandError::at(&self.0, format_args!("no host or user {name:?} here"))
                    .with_hint("`portreeve keys list` shows who is; --dir names another folder"))
            }
            Err(_) => Err(CommandError::at(&self.0, format_args!("{name:?} is a host and a user"))
                .with_hint(format_args!("say {HOSTS}/{name} or {USERS}/{name}"))),
        }
    }
}

/// The folder of one host or user, which is handed over as it is.
#[derive(Clone, Debug)]
pub(crate) struct HolderFolder {
    pub(crate) role: HolderRole,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl HolderFolder {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// The private SSH key's name.
    pub(crate) fn ssh_key(&self) -> &'static str {
        match self.role {
            HolderRole::Host => SSH_HOST_KEY,
            HolderRole::User => SSH_USER_KEY,
        }
    }
}

fn role_folder(role: HolderRole) -> &'static str {
    match role {
        HolderRole::Host => HOSTS,
        HolderRole::User => USERS,
    }
}

const HOSTS: &str = "hosts";
const USERS: &str = "users";
/// The authority of X.509: its certificate, which every holder has too.
pub(crate) const CA: &str = "ca.pem";
pub(crate) const CA_KEY: &str = "ca.key";
/// Certificates of its that count no more.
pub(crate) const CA_LIST: &str = "ca.crl";
/// The authority of SSH, and its public half.
pub(crate) const SSH_CA: &str = "ssh_ca";
pub(crate) const SSH_CA_PUBLIC: &str = "ssh_ca.pub";
/// SSH keys and certificates that count no more.
pub(crate) const SSH_REVOKED: &str = "ssh_revoked";
/// A holder's certificate of X.509 and its key, under the names by which the command looks for them.
pub(crate) const CERTIFICATE: &str = "cert.pem";
pub(crate) const KEY: &str = "key.pem";
const SSH_HOST_KEY: &str = "ssh_host_ed25519_key";
const SSH_USER_KEY: &str = "id_ed25519";
