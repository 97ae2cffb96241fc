//! Verifies the server's host key or certificate against known_hosts, and handles unknown keys.
//!
//! ```text
//! key or certificate ─▶ KnownHosts ─┬─▶ Known, Certified ─▶ accept
//!                                   ├─▶ Unknown ─▶ ask or add (StrictHostKeyChecking)
//!                                   └─▶ Changed, Revoked, BadCertificate ─▶ reject, always
//! ```

use std::{
    fs,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_channel::{ChannelError, ChannelStep, Fact, SshIdentity, SshProof};
use russh::keys::{Certificate, PublicKey, PublicKeyOrCertificate, ssh_key::certificate::CertType};
use tokio::sync::oneshot;

use super::{ClientHandler, HandshakeEvent, HostKeyQuestion};
use crate::{
    client::{
        known_hosts::{HostCertificate, HostKey, HostKeyVerdict, format_line},
        ssh_config::{FileLocation, StrictHostKeyChecking},
    },
    keys,
};

impl ClientHandler {
    //= rfc5592#5.3-2
    pub(super) async fn verify_host_key(
        &mut self,
        presented: &PublicKeyOrCertificate,
    ) -> Result<(), ChannelError> {
        let key = parse_host_key(&presented.public_key())?;
        if let Some(verified) = &self.verified_key {
            return if *verified == key {
                Ok(())
            } else {
                Err(identity_error("the server presented a different host key during the session"))
            };
        }
        let certificate = presented.certificate();
        let verdict = match certificate {
            None => self.known.check_key(&key),
            Some(certificate) => {
                let fields = parse_certificate(certificate)?;
                self.known.check_certificate(&self.target.key_name, &fields, unix_time())
            }
        };
        self.emit(HandshakeEvent::HostKeyReceived(self.host_key_facts(&key, certificate, &verdict)));
        let proof = match verdict {
            HostKeyVerdict::Known => SshProof::HostKey { key: key.fingerprint() },
            HostKeyVerdict::Certified => certificate.map_or_else(
                || Err(identity_error("internal error: a certified key has no certificate")),
                |certificate| {
                    Ok(SshProof::Certificate {
                        key: key.fingerprint(),
                        key_id: certificate.key_id().to_owned(),
                        serial: certificate.serial(),
                        authority: parse_host_key(&certificate.signature_key().clone().into())?.fingerprint(),
                    })
                },
            )?,
            HostKeyVerdict::Unknown { others } => {
                self.handle_unknown_key(&key, others.first()).await?;
                SshProof::HostKey { key: key.fingerprint() }
            }
            HostKeyVerdict::Changed { known } => {
                let target = &self.target;
                let name = target.key_name.with_port();
                return Err(identity_error(format!(
                    "the host key of {name} has changed: the server presented {} {}, but {} lists {}",
                    key.key_type(),
                    key.fingerprint_text(),
                    known.location,
                    known.key.fingerprint_text()
                ))
                .with_hint(format!(
                    "an attacker may be intercepting the connection; compare the presented fingerprint with the server's own \
                     (ssh-keygen -l), and only if they match, remove the old key: ssh-keygen -R '{name}' -f {}",
                    known.location.file.display()
                )));
            }
            HostKeyVerdict::Revoked { location, authority: true } => {
                return Err(identity_error(format!(
                    "the authority that signed the server's host certificate is revoked ({location})"
                ))
                .with_hint("do not connect; the server needs a certificate from another authority"));
            }
            HostKeyVerdict::Revoked { location, authority: false } => {
                return Err(identity_error(format!(
                    "the server's host key {} {} is revoked ({location})",
                    key.key_type(),
                    key.fingerprint_text()
                ))
                .with_hint("do not connect; the server needs a new host key"));
            }
            HostKeyVerdict::BadCertificate(problem) => {
                return Err(identity_error(format!("the server's host certificate is not valid: {problem}"))
                    .with_hint(
                        "have the authority of the host certificate sign a new one: portreeve keys sign KEY.pub --host NAME",
                    ));
            }
        };
        let name = self.target.key_name.host_part().to_owned();
        // The identity is not set yet, because `verified_key` was empty.
        self.identity.get_or_init(|| SshIdentity { user: name, proof });
        self.verified_key = Some(key);
        Ok(())
    }

    /// Returns the facts about the server's key to report, whatever the result.
    fn host_key_facts(
        &self,
        key: &HostKey,
        certificate: Option<&Certificate>,
        verdict: &HostKeyVerdict,
    ) -> Vec<Fact> {
        let location = |key: &HostKey| {
            self.known.location_of(key).map_or_else(|| "a file".to_owned(), |location| location.to_string())
        };
        let known = match (verdict, certificate) {
            (HostKeyVerdict::Known, _) => format!("known from {}", location(key)),
            (HostKeyVerdict::Certified, Some(certificate)) => {
                let authority = parse_host_key(&certificate.signature_key().clone().into());
                let location = authority.map_or_else(|_| String::new(), |authority| location(&authority));
                format!("certified as {:?} by the authority in {location}", certificate.key_id())
            }
            (HostKeyVerdict::Certified, None) => "certified".to_owned(),
            (HostKeyVerdict::Unknown { .. }, _) => "not known".to_owned(),
            (HostKeyVerdict::Changed { known }, _) => {
                format!("a different key is listed in {}", known.location)
            }
            (HostKeyVerdict::Revoked { location, authority: true }, _) => {
                format!("its authority is revoked in {location}")
            }
            (HostKeyVerdict::Revoked { location, authority: false }, _) => {
                format!("revoked in {location}")
            }
            (HostKeyVerdict::BadCertificate(problem), _) => {
                format!("its certificate is not valid: {problem}")
            }
        };
        vec![
            Fact::new("host-key", format!("{} {}", key.key_type(), key.fingerprint_text())),
            Fact::new("host-key-known", known),
        ]
    }

    /// Handles a key that is not in any file.
    async fn handle_unknown_key(
        &self,
        key: &HostKey,
        other_key: Option<&FileLocation>,
    ) -> Result<(), ChannelError> {
        let accepted = match self.target.strict_host_key_checking {
            StrictHostKeyChecking::Yes => false,
            // If keys of other types are known, do not accept a new type silently: an attacker
            // without the known keys would present exactly that.
            StrictHostKeyChecking::AcceptNew => other_key.is_none(),
            StrictHostKeyChecking::Ask if !self.target.is_interactive => false,
            StrictHostKeyChecking::Ask => {
                let (answer, decision) = oneshot::channel();
                let other_key_at = other_key.map(ToString::to_string);
                self.emit(HandshakeEvent::HostKeyUnknown(HostKeyQuestion {
                    key: key.clone(),
                    other_key_at,
                    answer,
                }));
                decision.await.unwrap_or(false)
            }
        };
        let name = self.target.key_name.with_port();
        if !accepted {
            let other_note = match other_key {
                Some(location) => format!("; {location} lists a key of another type"),
                None => String::new(),
            };
            let file = self.target.known_hosts.first();
            let file = file.map_or_else(|| "~/.ssh/known_hosts".into(), |file| file.display().to_string());
            let invalid_lines = self.known.invalid_lines();
            let invalid_note = match invalid_lines.first() {
                Some(location) if invalid_lines.len() == 1 => format!("; {location} cannot be read"),
                Some(location) => {
                    format!("; {location} and {} other lines cannot be read", invalid_lines.len() - 1)
                }
                None => String::new(),
            };
            return Err(identity_error(format!(
                "the host key of {name} is not known: {} {}{other_note}{invalid_note}",
                key.key_type(),
                key.fingerprint_text()
            ))
            .with_hint(format!(
                "compare this fingerprint with the server's own (ssh-keygen -l); if they match, add the key: \
                 ssh-keyscan -p {} {} >> {file}",
                self.target.port, self.target.host
            )));
        }
        let Some(file) = self.target.known_hosts.first() else { return Ok(()) };
        append_known_host(file, &name, key, self.target.hash_known_hosts)
    }
}

fn identity_error(cause: impl Into<String>) -> ChannelError {
    ChannelError::at(ChannelStep::ServerIdentity, cause)
}

fn parse_host_key(key: &PublicKey) -> Result<HostKey, ChannelError> {
    let octets = key.to_bytes().map_err(|error| identity_error(error.to_string()))?;
    HostKey::new(octets).ok_or_else(|| identity_error("the server's host key is malformed"))
}

/// Converts a certificate and verifies its signature. russh has verified only that the server holds
/// the certified key.
fn parse_certificate(certificate: &Certificate) -> Result<HostCertificate, ChannelError> {
    certificate
        .verify_signature()
        .map_err(|_| identity_error("the host certificate's signature is invalid"))?;
    Ok(HostCertificate {
        authority: parse_host_key(&certificate.signature_key().clone().into())?,
        key: parse_host_key(&certificate.public_key().clone().into())?,
        is_weak: keys::is_short_rsa(certificate.public_key()) || !keys::is_certified_strongly(certificate),
        is_for_hosts: certificate.cert_type() == CertType::Host,
        has_critical_options: certificate.critical_options().iter().next().is_some(),
        valid_after: certificate.valid_after(),
        valid_before: certificate.valid_before(),
        principals: certificate.valid_principals().to_vec(),
    })
}

/// Appends a key to known_hosts in a single write, so that concurrent writers cannot interleave.
fn append_known_host(file: &Path, name: &str, key: &HostKey, hashed: bool) -> Result<(), ChannelError> {
    let append_error = |cause: String| {
        identity_error(format!("{}: the new host key cannot be added: {cause}", file.display()))
            .with_hint("make the file writable, or add the host's key yourself")
    };
    let mut line =
        format_line(name, key, hashed).map_err(|_| append_error("random number generator failed".into()))?;
    let mut write = || -> std::io::Result<()> {
        if let Some(directory) = file.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        }
        let ends_with_newline =
            fs::read(file).map_or(true, |text| text.last().is_none_or(|last| *last == b'\n'));
        if !ends_with_newline {
            line.insert(0, '\n');
        }
        fs::OpenOptions::new().append(true).create(true).mode(0o600).open(file)?.write_all(line.as_bytes())
    };
    write().map_err(|error| append_error(error.to_string()))
}

fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::known_hosts::{HostName, KnownHosts};

    #[test]
    fn review_m3_host_certificates_with_sha1_or_short_rsa_are_refused() {
        for (text, is_accepted) in [
            (include_str!("../../../tests/data/host-certificate-rsa-authority.pub"), true),
            (include_str!("../../../tests/data/host-certificate-sha1-signature.pub"), false),
            (include_str!("../../../tests/data/host-certificate-short-rsa-authority.pub"), false),
        ] {
            let certificate = Certificate::from_openssh(text.trim()).unwrap();
            let authority = PublicKey::from(certificate.signature_key().clone()).to_openssh().unwrap();
            let name = HostName::new("agent.example", 22);
            let mut known = KnownHosts::default();
            let lines = format!("@cert-authority agent.example {authority}\n");
            known.add_file(&name, Path::new("known_hosts"), &lines);
            let fields = parse_certificate(&certificate).unwrap();
            let verdict = known.check_certificate(&name, &fields, 1_800_000_000);
            assert_eq!(verdict == HostKeyVerdict::Certified, is_accepted, "{verdict:?}");
            assert_eq!(matches!(verdict, HostKeyVerdict::BadCertificate(_)), !is_accepted, "{verdict:?}");
        }
    }
}
