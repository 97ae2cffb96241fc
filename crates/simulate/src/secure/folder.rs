//! A directory of keys and certificates. Missing files are created, accessible to the owner only.
//!
//! | file | content |
//! |---|---|
//! | `ca.pem` | an authority, whose key is not stored |
//! | `agent.pem`, `agent.key` | the certificate of all agents for TLS and DTLS |
//! | `manager.pem`, `manager.key` | a certificate for clients |
//! | `ssh_host_ed25519_key`, `known_hosts` | the SSH host key of all agents, and a known-hosts line for all hosts |
//! | `id_ed25519`, `authorized_keys` | an SSH key for clients, and the file that authorizes it |
//! | `credentials.env` | the paths of these files as shell variables |

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

/// The path of the directory, which exists.
pub(super) struct KeyFolder(PathBuf);

/// The files for TLS and DTLS.
pub(super) struct Certificates {
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
    /// The authority that signs clients' certificates.
    pub(super) authority: PathBuf,
}

/// The files for SSH.
pub(super) struct SshKeys {
    pub(super) host_key: PathBuf,
    /// The authorized SSH keys of clients. The path is absolute.
    pub(super) authorized_keys: PathBuf,
}

impl KeyFolder {
    /// Opens the directory at `path`; creates it with mode 0700 if it is missing.
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
            // The agents' key and certificate are written last, because the existence of the
            // certificate marks the directory as complete.
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
            // A client that uses this file as its known hosts accepts only simulated agents, at any
            // address.
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

    /// Writes the environment variables for `portreeve`.
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

    /// Writes a new file, accessible to the owner only.
    fn write(&self, name: &str, octets: &[u8]) -> Result<(), CommandError> {
        let path = self.0.join(name);
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(octets));
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => CommandError::new(format!(
                "{}: exists, but the files that belong to it are missing\nhint: use another directory, or move the file away",
                path.display()
            )),
            _ => CommandError::for_file(&path, &error),
        })
    }
}

fn public_half(key: &PrivateKey) -> Result<String, CommandError> {
    key.public_key().to_openssh().map_err(CommandError::new)
}

/// The environment variables of `portreeve`, and the files to which they are set.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("PORTREEVE_SSH_KEY", USER_KEY),
    ("PORTREEVE_KNOWN_HOSTS", KNOWN_HOSTS),
    ("PORTREEVE_TLS_CERT", MANAGER),
    ("PORTREEVE_TLS_KEY", MANAGER_KEY),
    ("PORTREEVE_TLS_CA", CA),
];

/// The DNS name in the certificate of all agents.
pub(super) const SERVER_NAME: &str = "simulated";
/// The default user name of clients.
pub(super) const USER: &str = "manager";
/// The file that sets the environment variables when a shell sources it.
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
/// The lifetime of certificates.
const CERTIFICATE_LIFETIME: Duration = Duration::from_secs(10 * 365 * 86_400);
