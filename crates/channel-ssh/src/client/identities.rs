//! The keys that we could log in with, in the order in which they are tried.
//!
//! First those that ssh_config or the caller names, then the agent's others, then those that merely lie in `~/.ssh`: a
//! server takes few attempts, and what somebody has named is what is meant. (ssh tries the agent's before named files
//! that the agent does not hold.) A key with a certificate is tried with it first.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use russh::keys::{
    Certificate, HashAlg, PrivateKey, PublicKey, agent::AgentIdentity, decode_secret_key,
    ssh_key::certificate::CertType,
};
use tokio::{net::UnixStream, time::timeout};

use super::{
    signer::{Agent, FileKey, KeyHolder},
    target::SshTarget,
};
use crate::keys::{KeyData, require_private};

/// Everything to log in with.
#[derive(Default)]
pub(crate) struct Identities {
    pub(crate) candidates: Vec<KeyCandidate>,
    pub(crate) agent: Option<Agent>,
    /// What could not be used, for whoever wonders.
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
    /// Which key it is and where it is, for people.
    pub(crate) fn describe(&self) -> String {
        let holder = match &self.holder {
            KeyHolder::Agent(identity) => format!("in the agent ({})", identity.comment().escape_debug()),
            KeyHolder::File { path, .. } => format!("in {}", path.display()),
        };
        let certificate = match &self.certificate {
            Some(certificate) => format!(" with the certificate {:?}", certificate.key_id()),
            None => String::new(),
        };
        let kind = self.key.algorithm();
        format!("{} {} {holder}{certificate}", kind.as_str(), self.key.fingerprint(HashAlg::Sha256))
    }
}

impl KeyCandidate {
    /// What is wrong with a certificate, as far as its holder can see; a server says nothing of it.
    pub(crate) fn certificate_problem(&self, user: &str, now: SystemTime) -> Option<String> {
        let certificate = self.certificate.as_ref()?;
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let days = |seconds: u64| seconds / 86_400;
        let principals = certificate.valid_principals();
        let unsupported = certificate.critical_options().keys().find(|name| *name != SUPPORTED_OPTION);
        Some(match certificate.valid_before() {
            _ if certificate.cert_type() != CertType::User => "the certificate is a host's".to_owned(),
            end if end <= now => format!("the certificate has expired {} days ago", days(now - end)),
            _ if certificate.valid_after() > now => {
                format!("the certificate begins in {} days", days(certificate.valid_after() - now))
            }
            _ if !principals.iter().any(|name| name == user) => {
                let names = principals.join(", ").escape_debug().to_string();
                format!("the certificate is for {names}")
            }
            _ => format!("the certificate says {:?}, which an agent does not follow", unsupported?),
        })
    }
}

impl Identities {
    /// Looks for them. Files that are not there are passed over, unless somebody has named them.
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
        // A certificate of a key that is held too is tried with that key.
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
                    found.remarks.push(format!("{}: the agent does not hold this key", path.display()));
                    continue;
                }
            };
            agent_keys.retain(|identity| identity.public_key().key_data() != key.key_data());
            candidates.push((rank, KeyCandidate { key: key.clone(), certificate: None, holder }));
        }
        // Of keys that nobody has named, the agent's go first.
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
        // Stable; where both have the same place, the agent's key is the cheaper one to try.
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
                self.remarks.push(format!("the agent at {}: {problem}", socket.display()));
                Vec::new()
            }
            Err(_) => {
                self.remarks.push(format!("the agent at {} does not answer", socket.display()));
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
        // Those that lie beside their key need not be there.
        found.extend(
            target
                .identity_files
                .iter()
                .filter_map(|path| read_certificate(&with_suffix(path, "-cert.pub")).ok()),
        );
        found
    }
}

/// What a file of an identity has.
#[derive(Clone, Debug)]
enum IdentityFile {
    Private(Box<PublicKey>, FileKey),
    /// The private half is elsewhere: in the agent.
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
    let plain_keys = |identity: &&AgentIdentity| matches!(identity, AgentIdentity::PublicKey { key: own, .. } if own.key_data() == key.key_data());
    agent_keys.iter().find(plain_keys).cloned()
}

/// `Err(None)` where there is no file.
fn read_identity(path: &Path) -> Result<IdentityFile, Option<String>> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A public key alone names one of the agent's.
            return public_half(path).ok_or(None)?.map(IdentityFile::Public).map_err(Some);
        }
        Err(error) => return Err(Some(error.to_string())),
    };
    if let Ok(public) = PublicKey::from_openssh(&text) {
        return Ok(IdentityFile::Public(public));
    }
    require_private(path).map_err(|problem| Some(problem.problem))?;
    // PEM is what ssh-keygen wrote before OpenSSH 7.8, and what openssl writes.
    let key = PrivateKey::from_openssh(&text).ok().or_else(|| decode_secret_key(&text, None).ok());
    match key {
        Some(key) => Ok(IdentityFile::Private(Box::new(key.public_key().clone()), FileKey::new(key))),
        None if is_encrypted_pem(&text) => {
            let no_public_key = "locked, and no .pub beside it says which key it is; ssh-keygen -y makes one";
            let public = public_half(path).unwrap_or_else(|| Err(no_public_key.into())).map_err(Some)?;
            Ok(IdentityFile::Private(Box::new(public), FileKey::encrypted_pem(text)))
        }
        None => Err(Some("not a private key that can be read; ssh-keygen -p -f converts some".into())),
    }
}

/// The public key beside a private one, where there is such a file.
fn public_half(path: &Path) -> Option<Result<PublicKey, String>> {
    let text = read_text(&with_suffix(path, ".pub")).ok()?;
    Some(PublicKey::from_openssh(&text).map_err(|error| error.to_string()))
}

/// Whether a PEM file's key is under a pass phrase in a way that can be read: in PKCS #8 or, an RSA key, as ssh-keygen did it.
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
    crate::keys::read_text(fs::File::open(path)?, MAX_FILE_LEN)
}

fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The critical option that agents follow.
const SUPPORTED_OPTION: &str = "source-address";

/// Octets of a file with a key or a certificate.
const MAX_FILE_LEN: u64 = 256 << 10;

/// An agent answers at once, or hangs.
const AGENT_TIMEOUT: Duration = Duration::from_secs(5);
