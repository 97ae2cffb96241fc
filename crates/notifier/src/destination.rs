//! The rows of a target, and what they mean for messages to it.

mod client_certificate;
mod credentials;
mod endpoint;

use std::{fmt, sync::Arc};

use portreeve_lcd::{CommunityRow, Name, TargetAddressRow, TargetParamsRow};
use portreeve_smi::{EngineId, MessageProcessingModel};
use portreeve_snmp_apps::Recipient;
use portreeve_snmp_engine::security::tsm::PrefixError;

pub(crate) use client_certificate::CertificateFiles;
pub(crate) use credentials::{InformCredentials, inform_credentials, trap_credentials};
pub(crate) use endpoint::{Endpoint, SecureEndpoint, endpoint};

/// The rows of a target. They are compared to find out whether a session still fits.
#[derive(Clone)]
pub(crate) struct TargetRows {
    pub(crate) address: Arc<TargetAddressRow>,
    pub(crate) params: Arc<TargetParamsRow>,
    /// The community, for SNMPv1 and SNMPv2c.
    pub(crate) community: Option<Arc<CommunityRow>>,
}

impl TargetRows {
    /// Returns whether these are the same versions of the same rows.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same_community = match (&self.community, &other.community) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (own, others) => own.is_none() && others.is_none(),
        };
        Arc::ptr_eq(&self.address, &other.address)
            && Arc::ptr_eq(&self.params, &other.params)
            && same_community
    }

    pub(crate) fn is_v1(&self) -> bool {
        self.params.mp_model == MessageProcessingModel::V1
    }
}

impl From<&Recipient<'_>> for TargetRows {
    fn from(recipient: &Recipient<'_>) -> Self {
        Self {
            address: Arc::clone(recipient.address),
            params: Arc::clone(recipient.params),
            community: recipient.community.map(Arc::clone),
        }
    }
}

/// The reason why nothing can be sent to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DestinationError {
    UnknownDomain,
    InvalidAddress,
    InsecureTransport,
    SecureTransport,
    Prefix(PrefixError),
    InvalidUserName,
    InvalidFingerprint,
    NoCertificate,
    NoUser,
    NoKeys {
        user: Name,
        /// The engine of the receiver.
        engine_id: EngineId,
    },
    LevelNotSupported,
    NoBoots,
}

impl fmt::Display for DestinationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownDomain => "the transport domain is not supported: use one of UDP, TCP, SSH, TLS or DTLS",
            Self::InvalidAddress => "the address is not one of its transport domain: correct snmpTargetAddrTAddress",
            Self::InsecureTransport => "TSM needs a target over SSH, TLS or DTLS",
            Self::SecureTransport => "only TSM can be used over SSH, TLS and DTLS",
            Self::Prefix(error) => return error.fmt(f),
            Self::InvalidUserName => "the securityName cannot be the name of an SSH user",
            Self::InvalidFingerprint => "snmpTlstmAddrServerFingerprint is not a fingerprint",
            Self::NoCertificate => {
                "no certificate of this agent has the fingerprint in snmpTlstmParamsClientFingerprint"
            }
            Self::NoUser => "the user does not exist, or has no keys: add a [[user]] with pass phrases",
            Self::NoKeys { user, engine_id } => {
                let user = user.escape_ascii();
                return write!(
                    f,
                    "the user \"{user}\" has no keys of the target's security level for the engine {engine_id} of the receiver: \
                     add a [[user]] with pass phrases, or a row of usmUserTable with this engine ID"
                );
            }
            Self::LevelNotSupported => "the user has no keys for the security level",
            Self::NoBoots => "snmpEngineBoots could not be stored: correct the state directory and restart the agent",
        })
    }
}

impl std::error::Error for DestinationError {}
