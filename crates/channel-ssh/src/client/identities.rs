//! The keys for a login, in the order in which they are tried.
//!
//! Keys specified in ssh_config or by the caller come first, then the other keys in ssh-agent, then
//! the default files in `~/.ssh`. Servers allow few attempts, so the keys that the user has
//! specified have priority. (OpenSSH tries ssh-agent's keys before specified files that ssh-agent
//! does not hold.) A key with a certificate is tried with the certificate first.

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_sys::open_file;
use russh::keys::{
    Certificate, HashAlg, PrivateKey, PublicKey, agent::AgentIdentity, decode_secret_key,
    ssh_key::certificate::CertType,
};
use tokio::{net::UnixStream, time::timeout};

use super::{
    signer::{Agent, FileKey, KeyHolder},
    target::SshTarget,
};
use crate::keys::{self, KeyData, require_private};

/// All keys for a login.
#[derive(Default)]
pub(crate) struct Identities {
    pub(crate) candidates: Vec<KeyCandidate>,
    pub(crate) agent: Option<Agent>,
    /// Keys that could not be used, with the reason, for error messages.
    pub(crate) remarks: Vec<String>,
}

/// A key, or a key with a certificate.
#[derive(Clone, Debug)]
pub(crate) struct KeyCandidate {
    pub(crate) key: PublicKey,
    pub(crate) certificate: Option<Certificate>,
    pub(crate) holder: KeyHolder,
}

impl KeyCandidate {
    /// Describes the key and where it is stored, for errors and logs.
    pub(crate) fn describe(&self) -> String {
        let holder = match &self.holder {
            KeyHolder::Agent(identity) => format!("in ssh-agent ({})", identity.comment().escape_debug()),
            KeyHolder::File { path, .. } => format!("in {}", path.display()),
        };
        let certificate = match &self.certificate {
            Some(certificate) => format!(" with the certificate {:?}", certificate.key_id()),
            None => String::new(),
        };
        let key_type = self.key.algorithm();
        format!("{} {} {holder}{certificate}", key_type.as_str(), self.key.fingerprint(HashAlg::Sha256))
    }
}

impl KeyCandidate {
    /// Returns the problem with a certificate that the client can detect, if any. Servers do not
    /// report why they reject a certificate.
    pub(crate) fn certificate_problem(&self, user: &str, now: SystemTime) -> Option<String> {
        let certificate = self.certificate.as_ref()?;
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let days = |seconds: u64| seconds / 86_400;
        let principals = certificate.valid_principals();
        let unsupported = certificate.critical_options().keys().find(|name| *name != SUPPORTED_OPTION);
        Some(match certificate.valid_before() {
            _ if certificate.cert_type() != CertType::User => {
                "the certificate is a host certificate".to_owned()
            }
            end if end <= now => format!("the certificate expired {} days ago", days(now - end)),
            _ if certificate.valid_after() > now => {
                format!("the certificate becomes valid in {} days", days(certificate.valid_after() - now))
            }
            _ if !principals.iter().any(|name| name == user) => {
                let names = principals.join(", ").escape_debug().to_string();
                format!("the certificate is for {names}")
            }
            _ => {
                format!("the certificate has the option {:?}, which SNMP agents do not support", unsupported?)
            }
        })
    }
}

impl Identities {
    /// Collects the keys. Skips missing files, and adds a remark for each missing file that the
    /// user has named.
    pub(crate) async fn gather(target: &SshTarget) -> Self {
        let mut found = Self::default();
        let mut agent_keys = found.list_agent_keys(target.agent.as_deref()).await;
        let mut certificates = found.load_certificates(target);
        certificates.extend(agent_keys.iter().filter_map(certificate_of).cloned());
        let plain_keys: Vec<KeyData> = agent_keys
            .iter()
            .filter(|identity| certificate_of(identity).is_none())
            .map(|identity| identity.public_key().key_data().clone())
            .collect();
        // A certificate whose key ssh-agent also holds is tried together with that key.
        agent_keys.retain(|identity| {
            certificate_of(identity).is_none_or(|certificate| !plain_keys.contains(certificate.public_key()))
        });
        let files: Vec<(PathBuf, IdentityFile)> = target
            .identity_files
            .iter()
            .filter_map(|path| Some((path.clone(), found.load_file(path, target.has_named_identities)?)))
            .collect();
        let mut candidates: Vec<(usize, KeyCandidate)> = Vec::new();
        for (rank, (path, file)) in files.iter().enumerate() {
            let key = file.public();
            let holder = match (find_in_agent(&agent_keys, key), file) {
                (Some(identity), _) => KeyHolder::Agent(Box::new(identity)),
                (None, IdentityFile::Private(_, key)) => {
                    KeyHolder::File { path: path.clone(), key: key.clone() }
                }
                (None, IdentityFile::Public(_)) => {
                    found.remarks.push(format!("{}: ssh-agent does not hold this key", path.display()));
                    continue;
                }
            };
            agent_keys.retain(|identity| identity.public_key().key_data() != key.key_data());
            candidates.push((rank, KeyCandidate { key: key.clone(), certificate: None, holder }));
        }
        // If no key was specified, ssh-agent's keys come first.
        let rank = if target.has_named_identities { files.len() } else { 0 };
        if target.identities_only {
            agent_keys.clear();
        }
        let others = agent_keys.into_iter().map(|identity| match &identity {
            AgentIdentity::PublicKey { key, .. } => KeyCandidate {
                key: key.clone(),
                certificate: None,
                holder: KeyHolder::Agent(Box::new(identity)),
            },
            AgentIdentity::Certificate { certificate, .. } => KeyCandidate {
                key: certificate.public_key().clone().into(),
                certificate: Some(certificate.clone()),
                holder: KeyHolder::Agent(Box::new(identity)),
            },
        });
        candidates.extend(others.map(|candidate| (rank, candidate)));
        // The sort is stable. Within one rank, keys in ssh-agent come first because they are
        // cheaper to try.
        candidates
            .sort_by_key(|(rank, candidate)| (*rank, matches!(candidate.holder, KeyHolder::File { .. })));
        found.candidates = candidates
            .into_iter()
            .flat_map(|(_, candidate)| with_certificates(candidate, &certificates))
            .collect();
        found
    }

    async fn list_agent_keys(&mut self, socket: Option<&Path>) -> Vec<AgentIdentity> {
        let Some(socket) = socket else { return Vec::new() };
        let request = async {
            let stream = UnixStream::connect(socket).await.map_err(|error| error.to_string())?;
            let mut agent = Agent::connect(stream);
            let agent_keys = agent.request_identities().await.map_err(|error| error.to_string())?;
            Ok::<_, String>((agent, agent_keys))
        };
        match timeout(AGENT_TIMEOUT, request).await {
            Ok(Ok((agent, agent_keys))) => {
                self.agent = Some(agent);
                agent_keys
            }
            Ok(Err(problem)) => {
                self.remarks.push(format!("ssh-agent at {}: {problem}", socket.display()));
                Vec::new()
            }
            Err(_) => {
                self.remarks.push(format!("ssh-agent at {} did not respond", socket.display()));
                Vec::new()
            }
        }
    }

    fn load_file(&mut self, path: &Path, named: bool) -> Option<IdentityFile> {
        match read_identity(path) {
            Ok(found) => Some(found),
            Err(None) if !named => None,
            Err(None) => {
                self.remarks.push(format!("{}: no such file", path.display()));
                None
            }
            Err(Some(problem)) => {
                self.remarks.push(format!("{}: {problem}", path.display()));
                None
            }
        }
    }

    fn load_certificates(&mut self, target: &SshTarget) -> Vec<Certificate> {
        let mut found = Vec::new();
        for path in &target.certificate_files {
            match read_certificate(path) {
                Ok(certificate) => found.push(certificate),
                Err(error) => self.remarks.push(format!("{}: {error}", path.display())),
            }
        }
        // Certificates next to their key are optional.
        found.extend(
            target
                .identity_files
                .iter()
                .filter_map(|path| read_certificate(&with_suffix(path, "-cert.pub")).ok()),
        );
        found
    }
}

/// The kind and content of an identity file.
#[derive(Clone, Debug)]
enum IdentityFile {
    Private(Box<PublicKey>, FileKey),
    /// Only the public key; the private key is in ssh-agent.
    Public(PublicKey),
}

impl IdentityFile {
    fn public(&self) -> &PublicKey {
        match self {
            Self::Private(key, _) => key,
            Self::Public(key) => key,
        }
    }
}

fn with_certificates(candidate: KeyCandidate, certificates: &[Certificate]) -> Vec<KeyCandidate> {
    if candidate.certificate.is_some() {
        return vec![candidate];
    }
    let mut found: Vec<KeyCandidate> = certificates
        .iter()
        .filter(|certificate| certificate.public_key() == candidate.key.key_data())
        .map(|certificate| KeyCandidate { certificate: Some(certificate.clone()), ..candidate.clone() })
        .collect();
    found.push(candidate);
    found
}

fn certificate_of(identity: &AgentIdentity) -> Option<&Certificate> {
    match identity {
        AgentIdentity::Certificate { certificate, .. } => Some(certificate),
        AgentIdentity::PublicKey { .. } => None,
    }
}

fn find_in_agent(agent_keys: &[AgentIdentity], key: &PublicKey) -> Option<AgentIdentity> {
    let is_plain_key = |identity: &&AgentIdentity| matches!(identity, AgentIdentity::PublicKey { key: own, .. } if own.key_data() == key.key_data());
    agent_keys.iter().find(is_plain_key).cloned()
}

/// Reads an identity file. Returns `Err(None)` if it does not exist.
fn read_identity(path: &Path) -> Result<IdentityFile, Option<String>> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A public key alone selects a key in ssh-agent.
            return public_half(path).ok_or(None)?.map(IdentityFile::Public).map_err(Some);
        }
        Err(error) => return Err(Some(error.to_string())),
    };
    if let Ok(public) = PublicKey::from_openssh(&text) {
        return Ok(IdentityFile::Public(public));
    }
    require_private(path).map_err(|error| Some(error.problem))?;
    // ssh-keygen wrote PEM before OpenSSH 7.8, and openssl still writes it.
    let key = PrivateKey::from_openssh(&text).ok().or_else(|| decode_secret_key(&text, None).ok());
    match key {
        Some(key) => Ok(IdentityFile::Private(Box::new(key.public_key().clone()), FileKey::new(key))),
        None if is_encrypted_pem(&text) => {
            let no_public_key =
                "the key is encrypted and has no .pub file; create this file with ssh-keygen -y";
            let public = public_half(path).unwrap_or_else(|| Err(no_public_key.into())).map_err(Some)?;
            Ok(IdentityFile::Private(Box::new(public), FileKey::encrypted_pem(text)))
        }
        None => Err(Some("not a supported private key; ssh-keygen -p -f converts some formats".into())),
    }
}

/// Reads the public key next to a private key, if that file exists.
fn public_half(path: &Path) -> Option<Result<PublicKey, String>> {
    let text = read_text(&with_suffix(path, ".pub")).ok()?;
    Some(PublicKey::from_openssh(&text).map_err(|error| error.to_string()))
}

/// Returns true for an encrypted PEM key in a supported format: PKCS #8, or an RSA key as older
/// ssh-keygen wrote it.
fn is_encrypted_pem(text: &str) -> bool {
    let has = |start| text.lines().any(|line| line.starts_with(start));
    has("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || (has("-----BEGIN RSA PRIVATE KEY-----") && has("DEK-Info: AES-128-CBC,"))
}

fn read_certificate(path: &Path) -> Result<Certificate, String> {
    let text = read_text(path).map_err(|error| error.to_string())?;
    Certificate::from_openssh(text.trim()).map_err(|_| "not an OpenSSH certificate".into())
}

fn read_text(path: &Path) -> io::Result<String> {
    keys::read_text(open_file(path)?, MAX_FILE_LEN)
}

fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The only critical option that SNMP agents support.
const SUPPORTED_OPTION: &str = "source-address";

/// Maximum size in bytes of a key or certificate file.
const MAX_FILE_LEN: u64 = 256 << 10;

/// Maximum time to wait for ssh-agent, which responds at once or not at all.
const AGENT_TIMEOUT: Duration = Duration::from_secs(5);
