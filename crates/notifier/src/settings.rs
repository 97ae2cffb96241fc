//! The settings of the notifier that are not in the tables.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_lcd::{Name, NotifyType};
use portreeve_snmp_manager::UsmUser;

/// The settings of the notifier that are not in the tables. They can be replaced while it runs.
#[derive(Default)]
pub struct NotifierSettings {
    /// The settings of the targets of the configuration file, by snmpTargetAddrName. Other targets
    /// use [`TargetSettings::default`].
    pub targets: BTreeMap<Name, TargetSettings>,
    /// The users whose pass phrases are known, by name. Their keys can be localized to any receiver
    /// of informs.
    pub users: BTreeMap<Vec<u8>, UsmUser>,
    /// The credentials for targets without their own.
    pub credentials: SessionCredentials,
    /// The directory whose `.ssh/config` is used for SSH; the home directory of the agent.
    pub home: PathBuf,
}

/// The settings of one target.
#[derive(Clone, Debug)]
pub struct TargetSettings {
    /// The target's own credentials.
    pub credentials: SessionCredentials,
    /// The target that gets the notifications that this one does not accept.
    pub fallback: Option<Name>,
    /// The kind of notifications that this target gets as the fallback of another one.
    pub kind: NotifyType,
    /// The maximum number of octets in the queue of informs.
    pub queue_octets: usize,
    /// The time after which an inform is discarded.
    pub queue_age: Duration,
}

impl Default for TargetSettings {
    fn default() -> Self {
        Self {
            credentials: SessionCredentials::default(),
            fallback: None,
            kind: NotifyType::Inform,
            queue_octets: 16 << 20,
            queue_age: Duration::from_secs(86_400),
        }
    }
}

/// The files with which sessions are opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionCredentials {
    /// The private key for SSH.
    pub ssh_key: Option<PathBuf>,
    /// The known_hosts file with the host keys of receivers.
    pub known_hosts: Option<PathBuf>,
    /// The certificate for TLS and DTLS.
    pub certificate: Option<PathBuf>,
    /// The private key of the certificate.
    pub key: Option<PathBuf>,
    /// The authorities of receivers' certificates.
    pub authorities: Vec<PathBuf>,
}

impl SessionCredentials {
    /// Returns the key and the known hosts for SSH, with those of `others` if they are missing.
    pub(crate) fn ssh_or<'c>(&'c self, others: &'c Self) -> (Option<&'c Path>, Option<&'c Path>) {
        let key = self.ssh_key.as_deref().or(others.ssh_key.as_deref());
        (key, self.known_hosts.as_deref().or(others.known_hosts.as_deref()))
    }

    /// Returns the authorities of receivers' certificates, or those of `others` if there are none.
    pub(crate) fn authorities_or<'c>(&'c self, others: &'c Self) -> &'c [PathBuf] {
        if self.authorities.is_empty() { &others.authorities } else { &self.authorities }
    }
}
