//! Whether the server is whom we mean: the verdict on what it shows, what there is to say of it, and what becomes of a key that is
//! not known.
//!
//! ```text
//! server's key or certificate ─▶ KnownHosts ─▶ Known, Certified ─────────────────────────▶ go on
//!                                          ├─▶ Unknown ─▶ StrictHostKeyChecking ─▶ ask, add ─▶ go on, or refuse
//!                                          └─▶ Changed, Revoked, BadCertificate ─────────▶ refuse, always
//! ```

use std::{
    fs,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_channel::{ChannelError, Fact, SshIdentity, SshProof, Step};
use russh::keys::{Certificate, PublicKey, PublicKeyOrCertificate, ssh_key::certificate::CertType};
use tokio::sync::oneshot;

use super::{Guard, HostKeyQuestion, News};
use crate::client::{
    known_hosts::{HostCertificate, HostKey, Verdict, written},
    ssh_config::{Place, StrictHostKeyChecking},
};

impl Guard {
    //= rfc5592#5.3-2
    pub(super) async fn judge(&mut self, shown: &PublicKeyOrCertificate) -> Result<(), ChannelError> {
        let key = host_key(&shown.public_key())?;
        if let Some(judged) = &self.judged {
            return if *judged == key {
                Ok(())
            } else {
                Err(refusal("the server has shown another host key in the middle of the session"))
            };
        }
        let certificate = shown.certificate();
        let verdict = match certificate {
            None => self.known.judge(&key),
            Some(certificate) => {
                let facts = facts(certificate)?;
                self.known.judge_certificate(&self.target.key_name, &facts, now())
            }
        };
        self.tell(News::Shown(self.shown(&key, certificate, &verdict)));
        let proof = match verdict {
            Verdict::Known => SshProof::HostKey { key: key.fingerprint() },
            Verdict::Certified => certificate.map_or_else(
                || Err(refusal("a certificate was judged that is none")),
                |certificate| {
                    Ok(SshProof::Certificate {
                        key_id: certificate.key_id().to_owned(),
                        serial: certificate.serial(),
                        authority: host_key(&certificate.signature_key().clone().into())?.fingerprint(),
                    })
                },
            )?,
            Verdict::Unknown { others } => {
                self.unknown(&key, others.first()).await?;
                SshProof::HostKey { key: key.fingerprint() }
            }
            Verdict::Changed { known } => {
                let target = &self.target;
                let name = target.key_name.with_port();
                return Err(refusal(format!(
                    "the host key of {name} has changed: the server shows {} {}, but {} has {}",
                    key.kind(),
                    key.shown(),
                    known.place,
                    known.key.shown()
                ))
                .cured_by(format!(
                    "somebody may be listening in; only where the key was changed on purpose and this is its \
                     fingerprint on the server (ssh-keygen -l), forget the old one: ssh-keygen -R '{name}' -f {}",
                    known.place.file.display()
                )));
            }
            Verdict::Revoked { place, authority: true } => {
                return Err(refusal(format!(
                    "the authority that has certified the server's host key is revoked ({place})"
                ))
                .cured_by("do not connect; the server needs a certificate of another authority"));
            }
            Verdict::Revoked { place, authority: false } => {
                return Err(refusal(format!(
                    "the server's host key {} {} is revoked ({place})",
                    key.kind(),
                    key.shown()
                ))
                .cured_by("do not connect; the server needs a new host key"));
            }
            Verdict::BadCertificate(why) => {
                return Err(refusal(format!("the server's host certificate does not hold: {why}"))
                    .cured_by("have its authority sign a new one: portreeve keys sign KEY.pub --host NAME"));
            }
        };
        let name = self.target.key_name.bare().to_owned();
        // Set once only: `judged` was empty.
        self.identity.get_or_init(|| SshIdentity { user: name, proof });
        self.judged = Some(key);
        Ok(())
    }

    /// What there is to say of the server's key, whatever the verdict leads to.
    fn shown(&self, key: &HostKey, certificate: Option<&Certificate>, verdict: &Verdict) -> Vec<Fact> {
        let place = |key: &HostKey| {
            self.known.place(key).map_or_else(|| "a file".to_owned(), |place| place.to_string())
        };
        let known = match (verdict, certificate) {
            (Verdict::Known, _) => format!("known from {}", place(key)),
            (Verdict::Certified, Some(certificate)) => {
                let authority = host_key(&certificate.signature_key().clone().into());
                let place = authority.map_or_else(|_| String::new(), |authority| place(&authority));
                format!("certified as {:?} by the authority in {place}", certificate.key_id())
            }
            (Verdict::Certified, None) => "certified".to_owned(),
            (Verdict::Unknown { .. }, _) => "not known".to_owned(),
            (Verdict::Changed { known }, _) => format!("another one is known, from {}", known.place),
            (Verdict::Revoked { place, authority: true }, _) => {
                format!("its authority is revoked in {place}")
            }
            (Verdict::Revoked { place, authority: false }, _) => format!("revoked in {place}"),
            (Verdict::BadCertificate(why), _) => format!("its certificate does not hold: {why}"),
        };
        vec![
            Fact::new("host-key", format!("{} {}", key.kind(), key.shown())),
            Fact::new("host-key-known", known),
        ]
    }

    /// A key that no file has.
    async fn unknown(&self, key: &HostKey, other: Option<&Place>) -> Result<(), ChannelError> {
        let accepted = match self.target.strict_host_key_checking {
            StrictHostKeyChecking::Yes => false,
            // Where keys of other kinds are known, a new one is no first meeting: somebody who has none of the known
            // keys would show just that.
            StrictHostKeyChecking::AcceptNew => other.is_none(),
            StrictHostKeyChecking::Ask if !self.target.asks => false,
            StrictHostKeyChecking::Ask => {
                let (answer, answered) = oneshot::channel();
                let other = other.map(ToString::to_string);
                self.tell(News::Unknown(HostKeyQuestion { key: key.clone(), other, answer }));
                answered.await.unwrap_or(false)
            }
        };
        let name = self.target.key_name.with_port();
        if !accepted {
            let instead = match other {
                Some(place) => format!("; {place} has a key of another kind"),
                None => String::new(),
            };
            let file = self.target.known_hosts.first();
            let file = file.map_or_else(|| "~/.ssh/known_hosts".into(), |file| file.display().to_string());
            let unreadable = self.known.unreadable();
            let passed_over = match unreadable.first() {
                Some(place) if unreadable.len() == 1 => format!("; {place} cannot be read"),
                Some(place) => format!("; {place} and {} other lines cannot be read", unreadable.len() - 1),
                None => String::new(),
            };
            return Err(refusal(format!(
                "the host key of {name} is not known: {} {}{instead}{passed_over}",
                key.kind(),
                key.shown()
            ))
            .cured_by(format!(
                "compare this fingerprint with the server's own (ssh-keygen -l); where they are the same, add the key: \
                 ssh-keyscan -p {} {} >> {file}",
                self.target.port, self.target.host
            )));
        }
        let Some(file) = self.target.known_hosts.first() else { return Ok(()) };
        add(file, &name, key, self.target.hash_known_hosts)
    }
}

fn refusal(cause: impl Into<String>) -> ChannelError {
    ChannelError::at(Step::ServerIdentity, cause)
}

fn host_key(key: &PublicKey) -> Result<HostKey, ChannelError> {
    let octets = key.to_bytes().map_err(|error| refusal(error.to_string()))?;
    HostKey::new(octets).ok_or_else(|| refusal("the server's host key cannot be read"))
}

/// russh has checked that the server holds the certified key, and not who signed the certificate.
fn facts(certificate: &Certificate) -> Result<HostCertificate, ChannelError> {
    certificate.verify_signature().map_err(|_| refusal("the host certificate's signature is wrong"))?;
    Ok(HostCertificate {
        authority: host_key(&certificate.signature_key().clone().into())?,
        key: host_key(&certificate.public_key().clone().into())?,
        is_for_hosts: certificate.cert_type() == CertType::Host,
        has_critical_options: certificate.critical_options().iter().next().is_some(),
        valid_after: certificate.valid_after(),
        valid_before: certificate.valid_before(),
        principals: certificate.valid_principals().to_vec(),
    })
}

/// Remembers a key, in one write, so that others who add at the same time do not come in between.
fn add(file: &Path, name: &str, key: &HostKey, hashed: bool) -> Result<(), ChannelError> {
    let failed = |what: String| {
        refusal(format!("{}: the new host key cannot be added: {what}", file.display()))
            .cured_by("make the file writable, or add the host's key yourself")
    };
    let mut line = written(name, key, hashed).map_err(|_| failed("no random numbers".into()))?;
    let mut write = || -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let ends_well = fs::read(file).map_or(true, |text| text.last().is_none_or(|last| *last == b'\n'));
        if !ends_well {
            line.insert(0, '\n');
        }
        fs::OpenOptions::new().append(true).create(true).mode(0o600).open(file)?.write_all(line.as_bytes())
    };
    write().map_err(|error| failed(error.to_string()))
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
