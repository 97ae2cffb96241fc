//! The keys for a login, in the order in which they are tried.
//!
//! Keys specified in ssh_config or by the caller come first, then the other keys in ssh-agent, then
//! the default files in `~/.ssh`. Servers allow few attempts, so the keys that the user has
//! specified have priority. (OpenSSH tries ssh-agent's keys before specified files that ssh-agent
//! does not hold.) A key with a certificate is tried with the certificate first.

mod key_files;

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use portreeve_channel::{ChannelError, ChannelStep, read_files};
use russh::keys::{Certificate, HashAlg, PublicKey, agent::AgentIdentity, ssh_key::certificate::CertType};
use tokio::{net::UnixStream, time::timeout};

use super::{
    settings::ClientSettings,
    signer::{Agent, KeyHolder},
    target::SshTarget,
};
use crate::keys::KeyData;
use key_files::{IdentityFile, KeyFiles};

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
    ///
    /// # Errors
    /// If the reads of the files were not executed.
    pub(crate) async fn gather(target: &SshTarget, settings: &ClientSettings) -> Result<Self, ChannelError> {
        let mut found = Self::default();
        let mut agent_keys = found.list_agent_keys(target.agent.as_deref()).await;
        let of_read = target.clone();
        let read = move || KeyFiles::read(&of_read);
        let read = read_files(&*settings.file_reads, ChannelStep::ClientIdentity, read).await?;
        let KeyFiles { mut certificates, files, remarks } = read;
        found.remarks.extend(remarks);
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
        Ok(found)
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

/// The only critical option that SNMP agents support.
const SUPPORTED_OPTION: &str = "source-address";

/// Maximum time to wait for ssh-agent, which responds at once or not at all.
const AGENT_TIMEOUT: Duration = Duration::from_secs(5);
