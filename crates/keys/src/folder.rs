//! Where everything lies.

use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
};

use portreeve_pki::Role;

use crate::{Failure, files};

/// The folder of the authorities, and of what they have made.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The one that was named, or the user's own.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, Failure> {
        if let Some(named) = named {
            return std::path::absolute(named).map(Self).map_err(|error| Failure::io(named, &error));
        }
        let from =
            |variable| env::var_os(variable).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
        let config = from("XDG_CONFIG_HOME").or_else(|| Some(from("HOME")?.join(".config")));
        let config = config.ok_or_else(|| {
            Failure::new("it is not known where keys lie: HOME is not set")
                .cured_by("name a folder with --dir")
        })?;
        Ok(Self(config.join("portreeve/keys")))
    }

    /// Makes it, and keeps everybody else from changing it until the file is closed.
    pub(crate) fn lock(&self) -> Result<File, Failure> {
        files::make_folder(&self.0)?;
        let folder = File::open(&self.0).map_err(|error| Failure::io(&self.0, &error))?;
        folder.lock().map_err(|error| Failure::io(&self.0, &error))?;
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
    pub(crate) fn holding(&self, role: Role, name: &str) -> Holding {
        Holding { role, name: name.to_owned(), path: self.0.join(shelf(role)).join(name) }
    }

    /// The hosts or users that have something, by name.
    pub(crate) fn holdings(&self, role: Role) -> Vec<Holding> {
        let entries = std::fs::read_dir(self.0.join(shelf(role))).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names.into_iter().map(|name| self.holding(role, &name)).collect()
    }

    /// The host or user of this name. `hosts/NAME` and `users/NAME` tell them apart.
    pub(crate) fn find_holding(&self, name: &str) -> Result<Holding, Failure> {
        let (roles, bare) = match name.split_once('/') {
            Some((HOSTS, bare)) => (vec![Role::Host], bare),
            Some((USERS, bare)) => (vec![Role::User], bare),
            _ => (vec![Role::Host, Role::User], name),
        };
        let found: Vec<_> = roles
            .into_iter()
            .filter(|_| !bare.is_empty() && !bare.contains('/') && !bare.starts_with('.'))
            .map(|role| self.holding(role, bare))
            .filter(|holding| holding.path.is_dir())
            .collect();
        match <[Holding; 1]>::try_from(found) {
            Ok([holding]) => Ok(holding),
            Err(found) if found.is_empty() => {
                Err(Failure::at(&self.0, format_args!("no host or user {name:?} here"))
                    .cured_by("`portreeve keys list` shows who is; --dir names another folder"))
            }
            Err(_) => Err(Failure::at(&self.0, format_args!("{name:?} is a host and a user"))
                .cured_by(format_args!("say {HOSTS}/{name} or {USERS}/{name}"))),
        }
    }
}

/// The folder of one host or user, which is handed over as it is.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl Holding {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// The private SSH key's name.
    pub(crate) fn ssh_key(&self) -> &'static str {
        match self.role {
            Role::Host => SSH_HOST_KEY,
            Role::User => SSH_USER_KEY,
        }
    }
}

fn shelf(role: Role) -> &'static str {
    match role {
        Role::Host => HOSTS,
        Role::User => USERS,
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
