//! The directory that contains all keys, certificates and lists.

use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
};

use portreeve_pki::HolderRole;

use crate::{CommandError, files};

/// The directory of the authorities and their hosts and users.
#[derive(Clone, Debug)]
pub(crate) struct KeyFolder(PathBuf);

impl KeyFolder {
    /// Returns the given directory, or the user's default directory.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, CommandError> {
        if let Some(named) = named {
            return std::path::absolute(named).map(Self).map_err(|error| CommandError::io(named, &error));
        }
        let from =
            |variable| env::var_os(variable).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
        let config = from("XDG_CONFIG_HOME").or_else(|| Some(from("HOME")?.join(".config")));
        let config = config.ok_or_else(|| {
            CommandError::new("cannot find the key directory: HOME is not set")
                .with_hint("specify a directory with --dir")
        })?;
        Ok(Self(config.join("portreeve/keys")))
    }

    /// Creates the directory, and locks it against other processes until the file is closed.
    pub(crate) fn lock(&self) -> Result<File, CommandError> {
        files::make_folder(&self.0)?;
        let folder = File::open(&self.0).map_err(|error| CommandError::io(&self.0, &error))?;
        folder.lock().map_err(|error| CommandError::io(&self.0, &error))?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path of a file at the top level.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns true if the file exists at the top level.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// Returns the directory of a host or user.
    pub(crate) fn holder_folder(&self, role: HolderRole, name: &str) -> HolderFolder {
        HolderFolder { role, name: name.to_owned(), path: self.0.join(role_folder(role)).join(name) }
    }

    /// Returns the directories of all hosts or users, by name.
    pub(crate) fn holder_folders(&self, role: HolderRole) -> Vec<HolderFolder> {
        let entries = std::fs::read_dir(self.0.join(role_folder(role))).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names.into_iter().map(|name| self.holder_folder(role, &name)).collect()
    }

    /// Finds the host or user with this name. `hosts/NAME` and `users/NAME` distinguish them.
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
                Err(CommandError::at(&self.0, format_args!("no host or user {name:?}"))
                    .with_hint("see `portreeve keys list`, or specify another directory with --dir"))
            }
            Err(_) => Err(CommandError::at(&self.0, format_args!("{name:?} is a host and a user"))
                .with_hint(format_args!("use {HOSTS}/{name} or {USERS}/{name}"))),
        }
    }
}

/// The directory of one host or user, which can be copied to its owner unchanged.
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

    /// Returns the file name of the private SSH key.
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
/// The certificate of the X.509 authority, of which every host and user has a copy.
pub(crate) const CA: &str = "ca.pem";
pub(crate) const CA_KEY: &str = "ca.key";
/// The list of revoked certificates of the X.509 authority.
pub(crate) const CA_LIST: &str = "ca.crl";
/// The private and the public key of the SSH authority.
pub(crate) const SSH_CA: &str = "ssh_ca";
pub(crate) const SSH_CA_PUBLIC: &str = "ssh_ca.pub";
/// The list of revoked SSH keys and certificates.
pub(crate) const SSH_REVOKED: &str = "ssh_revoked";
/// The X.509 certificate of a host or user, under the name that the commands look for.
pub(crate) const CERTIFICATE: &str = "cert.pem";
pub(crate) const KEY: &str = "key.pem";
const SSH_HOST_KEY: &str = "ssh_host_ed25519_key";
const SSH_USER_KEY: &str = "id_ed25519";
