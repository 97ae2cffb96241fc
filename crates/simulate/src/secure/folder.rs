//! A folder of keys and certificates, made for their owner alone where they are missing.
//!
//! | file | holds |
//! |---|---|
//! | `ca.pem` | an authority; its key is kept nowhere |
//! | `agent.pem`, `agent.key` | what all agents present over TLS and DTLS |
//! | `manager.pem`, `manager.key` | what whoever asks them may present |
//! | `ssh_host_ed25519_key`, `known_hosts` | the agents' SSH key, and a line that says so for every host |
//! | `id_ed25519`, `authorized_keys` | a key that logs in, and the file that lets it |
//! | `credentials.env` | where all that is, for `sh` to source |

use std::{
    fs,
    io::{ErrorKind, Write},
    net::{Ipv4Addr, Ipv6Addr},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_channel::AlternativeName;
use portreeve_pki::{
    Holder, HolderRole, IssuedCertificate, Validity, X509Authority, encode_ssh_key, new_ssh_key,
    ssh_key::PrivateKey,
};

use crate::error::CommandError;

/// The folder, which exists.
pub(super) struct KeyFolder(PathBuf);

/// What TLS and DTLS are spoken with.
pub(super) struct Certificates {
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
    /// Whose word on those who ask is taken.
    pub(super) authority: PathBuf,
}

/// What SSH is spoken with.
pub(super) struct SshKeys {
    pub(super) host_key: PathBuf,
    /// An absolute path.
    pub(super) authorized_keys: PathBuf,
}

impl KeyFolder {
    /// The folder at `path`, made with mode 0700 if need be.
    pub(super) fn at(path: &Path) -> Result<Self, CommandError> {
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| CommandError::for_file(path, &error))?;
        let path = fs::canonicalize(path).map_err(|error| CommandError::for_file(path, &error))?;
        Ok(Self(path))
    }

    pub(super) fn certificates(&self) -> Result<Certificates, CommandError> {
        let [certificate, key, authority] = [AGENT, AGENT_KEY, CA].map(|name| self.0.join(name));
        if !certificate.exists() {
            let valid = Validity::from_now(SystemTime::now(), CERTIFICATE_LIFETIME);
            let made = X509Authority::new("Portreeve simulation CA", valid).map_err(CommandError::new)?;
            let names = vec![
                AlternativeName::Dns(SERVER_NAME.into()),
                AlternativeName::Dns("localhost".into()),
                AlternativeName::Ip(Ipv4Addr::LOCALHOST.into()),
                AlternativeName::Ip(Ipv6Addr::LOCALHOST.into()),
            ];
            let agent = Holder::new(HolderRole::Host, "Portreeve simulated agents").with_names(names);
            let agent = made.issue(&agent, valid).map_err(CommandError::new)?;
            let manager =
                made.issue(&Holder::new(HolderRole::User, USER), valid).map_err(CommandError::new)?;
            self.write_pair(MANAGER, MANAGER_KEY, &manager)?;
            self.write(CA, made.pem().as_bytes())?;
            self.write_environment()?;
            // What shows that all is there comes last.
            self.write_pair(AGENT, AGENT_KEY, &agent)?;
        }
        Ok(Certificates { certificate, key, authority })
    }

    pub(super) fn ssh_keys(&self) -> Result<SshKeys, CommandError> {
        let [host_key, authorized_keys] = [HOST_KEY, AUTHORIZED_KEYS].map(|name| self.0.join(name));
        if !host_key.exists() {
            let [user, host] = [USER, SERVER_NAME].map(new_ssh_key);
            let (user, host) = (user.map_err(CommandError::new)?, host.map_err(CommandError::new)?);
            self.write_ssh_key(USER_KEY, &user)?;
            self.write(AUTHORIZED_KEYS, format!("{}\n", public_half(&user)?).as_bytes())?;
            // Whoever takes this file for known hosts asks simulated agents only, at whatever address.
            self.write(KNOWN_HOSTS, format!("* {}\n", public_half(&host)?).as_bytes())?;
            self.write_environment()?;
            self.write_ssh_key(HOST_KEY, &host)?;
        }
        Ok(SshKeys { host_key, authorized_keys })
    }

    fn write_ssh_key(&self, name: &str, key: &PrivateKey) -> Result<(), CommandError> {
        self.write(name, encode_ssh_key(key, None).map_err(CommandError::new)?.expose())
    }

    fn write_pair(
        &self,
        certificate: &str,
        key: &str,
        issued: &IssuedCertificate,
    ) -> Result<(), CommandError> {
        self.write(key, issued.key.expose())?;
        self.write(certificate, issued.certificate.as_bytes())
    }

    /// What `portreeve` reads from its environment.
    fn write_environment(&self) -> Result<(), CommandError> {
        if self.0.join(CREDENTIALS).exists() {
            return Ok(());
        }
        let line = |(variable, name): (&str, &str)| {
            let path = self.0.join(name).display().to_string().replace('\'', r"'\''");
            format!("{variable}='{path}'\n")
        };
        let text: String = ENVIRONMENT.into_iter().map(line).collect();
        self.write(CREDENTIALS, text.as_bytes())
    }

    /// Writes a new file for its owner alone.
    fn write(&self, name: &str, octets: &[u8]) -> Result<(), CommandError> {
        let path = self.0.join(name);
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(octets));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => CommandError::new(format!(
                "{}: there already, without the others of its set\nhint: take another directory, or move the file away",
                path.display()
            )),
            _ => CommandError::for_file(&path, &error),
        })
    }
}

fn public_half(key: &PrivateKey) -> Result<String, CommandError> {
    key.public_key().to_openssh().map_err(CommandError::new)
}

/// Where the folder's files are, by the names that `portreeve` has for them.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("PORTREEVE_SSH_KEY", USER_KEY),
    ("PORTREEVE_KNOWN_HOSTS", KNOWN_HOSTS),
    ("PORTREEVE_TLS_CERT", MANAGER),
    ("PORTREEVE_TLS_KEY", MANAGER_KEY),
    ("PORTREEVE_TLS_CA", CA),
];

/// A name that all agents' certificate has, wherever they are.
pub(super) const SERVER_NAME: &str = "simulated";
/// Who asks, unless another name is given.
pub(super) const USER: &str = "manager";
/// What is to be sourced.
pub(super) const CREDENTIALS: &str = "credentials.env";
const CA: &str = "ca.pem";
const AGENT: &str = "agent.pem";
const AGENT_KEY: &str = "agent.key";
const MANAGER: &str = "manager.pem";
const MANAGER_KEY: &str = "manager.key";
const HOST_KEY: &str = "ssh_host_ed25519_key";
const KNOWN_HOSTS: &str = "known_hosts";
const USER_KEY: &str = "id_ed25519";
const AUTHORIZED_KEYS: &str = "authorized_keys";
/// How long certificates last.
const CERTIFICATE_LIFETIME: Duration = Duration::from_secs(10 * 365 * 86_400);
